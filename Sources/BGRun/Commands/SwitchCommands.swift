import JobEngine
import JobModel
import LinuxSystem

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
    let definition = workplace.jobs?.definition(for: identifier)
    let missed = isOn ? try missed(by: identifier, definition, workplace, at: now) : nil
    let verdicts = try workplace.commit(
      (missed.map { [.recordInstants($0)] } ?? [])
        + [.switchJob(JobSwitch(identifier: identifier, isEnabled: isOn, at: now))], at: now)
    guard isOn, definition?.isEnabled == false else {
      let output = invocation.context.output
      output.writeLine("\(identifier) is \(isOn ? "enabled" : "disabled").")
      // A runner that stopped just now may have recorded them first.
      if let count = missed?.skipped?.count, case .applied? = verdicts.first {
        output.writeLine(
          count == 1
            ? "The instant that passed meanwhile is recorded as skipped."
            : "The \(count) instants that passed meanwhile are recorded as skipped.")
      }
      return .done
    }
    throw .notDone(
      "'\(identifier)' stays off: its manifest says 'enabled: false', which 'enable' can't override",
      advice: "Remove that line from the manifest.")
  }

  /// What passed while a person had switched the job off; nothing of one that stays off.
  private static func missed(
    by identifier: JobIdentifier, _ definition: JobDefinition?, _ workplace: Workplace,
    at now: WallInstant
  ) throws(CommandFailure) -> InstantRecording? {
    guard let definition, definition.isEnabled else { return nil }
    let record = try workplace.read { store throws(StoreFailure) in
      try store.snapshots(of: [identifier], headLimit: 1)
    }.first?.record
    guard let record, record.disabledSince != nil else { return nil }
    return InstantRecording(
      missedWhileOff: definition, record, machineID: Machine.stableName, at: now)
  }
}
