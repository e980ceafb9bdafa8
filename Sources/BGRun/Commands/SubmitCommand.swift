import JobModel
import Runner

/// `bgrun submit`: asks for one run, when the job's conditions allow it (SB1–SB8).
enum SubmitCommand {
  private static let identifier = Argument("ID", .identifier, .required, "The job.")

  static let command = Command(
    "submit", summary: "ask for one run of a job, as soon as its conditions allow it",
    discussion: [
      "Stores a request, which is durable when the command ends: a running runner notices at once, "
        + "a later one finds it. A request that hasn't started is replaced by a new one with the "
        + "same key.",
      "A continuedProcessing job starts only from an explicit user action: see 'bgrun start'.",
    ],
    arguments: [identifier],
    options: [.key, .with, .manifest, .state],
    examples: [
      .init("bgrun submit com.example.backup", "The backup runs when its conditions are met."),
      .init(
        "bgrun submit com.example.thumbnails --key album-7 --with album=7",
        "One request of a queue, with a parameter of its own."),
    ],
    exitCodes: [
      (.done, "The request is stored."),
      (.notDone, "It was refused, with the cause, or no manifest was found."),
    ],
    perform: run)

  private static func run(_ invocation: Invocation) throws(CommandFailure) -> ExitCode {
    let workplace = try Workplace.forActing(invocation)
    let identifier = JobIdentifier(invocation.arguments.text(identifier) ?? "")
    let stored = try Submitting(workplace, invocation).store(identifier, isUserInitiated: false)
    let output = invocation.context.output
    let key = KeyText.phrase(stored.submission.key)
    let replaced = stored.replaced == nil ? "" : ", in the place of one that hadn't started"
    output.writeLine("Submitted \(identifier)\(key)\(replaced).")
    if stored.submission.floor != nil {
      let floor = stored.submission.notBefore
      output.writeLine(
        "Not before \(invocation.instants.local(floor)), \(invocation.instants.relative(floor)).")
    }
    if try !workplace.hasRunner() { output.writeLine(Workplace.noRunner) }
    return .done
  }
}
