import DeviceConditions
import JobModel
import LinuxSystem
import SQLiteStore

/// `bgrun doctor`: what this machine is to a runner, and where each answer was read.
enum DoctorCommand {
  static let command = Command(
    "doctor", summary: "what this machine's conditions are and where each was read",
    discussion: [
      "Shows each condition's value, its source and when it last changed, as the runner that is "
        + "alive sees it, or as it is read now. ASSUMED stands where nothing on this machine knows, "
        + "and the condition counts as met; STALE where a source is gone and its last word counts. "
        + "Then how a run's processes are contained, whether continued tasks give way when memory is "
        + "short, and whether the clock can be right.",
      "Other sources can be told with 'bgrun condition set'.",
    ],
    options: [.json, .manifest, .state],
    examples: [
      .init("bgrun doctor", "Every condition, with its source."),
      .init("bgrun doctor --json | jq '.conditions[].source'", "Where each was read."),
    ],
    exitCodes: [
      (.done, "Nothing needs looking after."),
      (.findings, "Something does: the last lines say what."),
      (.notDone, "The machine or the store couldn't be read."),
    ],
    perform: run)

  /// Where free space is read while there is no store yet.
  private static let unstored = "/"

  private static func run(_ invocation: Invocation) throws(CommandFailure) -> ExitCode {
    let report = try report(invocation)
    if invocation.arguments.contains(.json) {
      invocation.context.output.writeLine(report.json.text(isIndented: true))
    } else {
      for line in report.lines(invocation.instants, invocation.outputStyle) {
        invocation.context.output.writeLine(line)
      }
    }
    return report.findings.isEmpty ? .done : .findings
  }

  private static func report(_ invocation: Invocation) throws(CommandFailure) -> DoctorReport {
    let context = invocation.context
    let workplace = try workplace(invocation)
    let owners = try workplace?.read { store throws(StoreFailure) in try store.owners() } ?? []
    let runner = owners.first { $0.isAtWork && $0.device != nil }
    let folder = workplace?.folder ?? unstored
    let device =
      if let published = runner?.device { published } else {
        try MachineConditions.read(folder: folder, paths: [""], in: context)
      }

    var recorded: WallInstant?
    do throws(StoreFailure) {
      recorded = try workplace?.store?.lastRecordedTime()
    } catch {
      throw .store(error)
    }
    let clock = DoctorReport.Clock(
      isSynchronised: Clocks.isSynchronised,
      earliestPlausible: max(
        Program.builtAt, recorded.map { $0 - .seconds(86_400) } ?? Program.builtAt),
      reads: context.now().wall)
    let conditions = DoctorReport.Condition.all(of: device, isWatched: runner != nil)
    return DoctorReport(
      conditions: conditions,
      containment: ControlGroups().map { .controlGroup(folder: $0.path) } ?? .supervisor,
      tellsMemoryPressure: MemoryPressure.isOffered(
        at: MachineConditions.root(in: context).memoryPressureFile),
      clock: clock, runner: runner.map { ($0.owner.processID, $0.owner.host) },
      findings: findings(conditions, clock, invocation.instants)
        + toldFolders(workplace?.folder, in: context).flatMap { $0.read().mistakes })
  }

  /// The store, where one was named or can be found; a machine without one has conditions too.
  private static func workplace(_ invocation: Invocation) throws(CommandFailure) -> Workplace? {
    do {
      return try Workplace.forReading(invocation)
    } catch .notDone where !invocation.arguments.contains(.state) {
      return nil
    }
  }

  private static func toldFolders(_ state: String?, in context: CommandContext) -> [ToldFolder] {
    [.ofMachine(under: MachineConditions.root(in: context))]
      + (state.map { [.of(stateDirectory: $0)] } ?? [])
  }

  private static func findings(
    _ conditions: [DoctorReport.Condition], _ clock: DoctorReport.Clock, _ instants: InstantText
  ) -> [String] {
    var findings = conditions.filter { $0.trust == .stale }.map { condition in
      "\(condition.name): \(condition.source) is gone; what it said last counts until it is back."
    }
    if !clock.isPlausible {
      findings.append(
        "The clock is before \(instants.local(clock.earliestPlausible)), which has passed: scheduled "
          + "instants wait until it is right.")
    }
    return findings
  }
}
