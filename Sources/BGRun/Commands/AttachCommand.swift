import JobModel

/// `bgrun attach`: follows a run that goes on.
enum AttachCommand {
  private static let number = Argument("RUN", .run, .required, "The number of the run.")

  static let command = Command(
    "attach", summary: "follow a run with its progress, to its end",
    discussion: [
      "Shows the title and progress that the run tells, and how it ends. On a terminal Ctrl-C asks "
        + "whether to stop the run; without an answer, or from a script, the run goes on without you.",
      "On a terminal it brings a continued task back to the foreground: see 'bgrun help start'.",
    ],
    arguments: [number],
    options: [.manifest, .state],
    examples: [.init("bgrun attach 42", "Run 42, until it has ended.")],
    exitCodes: [
      (.done, "The run succeeded."),
      (.findings, "The run ended in another way."),
      (.notDone, "There is no such run, or no store was found."),
      (.interrupted, "Ctrl-C left or stopped it."),
    ],
    perform: run)

  private static func run(_ invocation: Invocation) throws(CommandFailure) -> ExitCode {
    let workplace = try Workplace.forReading(invocation)
    let number = RunNumber(Int64(invocation.arguments.text(number) ?? "") ?? 0)
    let found = try workplace.run(number)
    var following = try TaskFollowing(
      FollowedTask(identifier: found.identifier, target: .run(number)), workplace, invocation)
    return try following.follow()
  }
}
