import JobModel

/// `bgrun enable` and `bgrun disable`: a person's switch of one job (SB10).
enum SwitchCommands {
  private static let identifier = Argument("ID", .identifier, .required, "The job.")

  static let enable = Command(
    "enable", summary: "let a job run again that 'disable' switched off",
    discussion: [
      "A running runner notices at once. What the manifest says with 'enabled: false' stays off: "
        + "only the manifest can change that."
    ],
    arguments: [identifier],
    options: [.manifest, .state],
    examples: [.init("bgrun enable com.example.backup", "The backup may run again.")],
    exitCodes: [
      (.done, "The job is on."),
      (.notDone, "The job is unknown, the manifest keeps it off, or no store was found."),
    ]
  ) { invocation throws(CommandFailure) in try turn(isOn: true, invocation) }

  static let disable = Command(
    "disable", summary: "keep a job from starting until 'enable'",
    discussion: [
      "Nothing of the job starts, submissions are refused, and what is pending waits. A run that "
        + "goes on is left alone: 'bgrun cancel ID' stops it. Instants that are missed are recorded "
        + "as one skipped row."
    ],
    arguments: [identifier],
    options: [.manifest, .state],
    examples: [.init("bgrun disable com.example.backup", "The backup doesn't start any more.")],
    exitCodes: [
      (.done, "The job is off."),
      (.notDone, "The job is unknown, or no store was found."),
    ]
  ) { invocation throws(CommandFailure) in try turn(isOn: false, invocation) }

  private static func turn(
    isOn: Bool, _ invocation: Invocation
  ) throws(CommandFailure) -> ExitCode {
    let workplace = try Workplace.forActing(invocation)
    let identifier = JobIdentifier(invocation.arguments.text(identifier) ?? "")
    try workplace.requireKnown(identifier)
    let now = invocation.context.now().wall
    _ = try workplace.commit(
      [.switchJob(JobSwitch(identifier: identifier, isEnabled: isOn, at: now))], at: now)
    let definition = workplace.jobs?.definition(for: identifier)
    guard isOn, definition?.isEnabled == false else {
      invocation.context.output.writeLine("\(identifier) is \(isOn ? "enabled" : "disabled").")
      return .done
    }
    throw .notDone(
      "'\(identifier)' stays off: its manifest says 'enabled: false', which 'enable' can't override",
      advice: "Remove that line from the manifest.")
  }
}
