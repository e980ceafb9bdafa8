import JobModel

/// One job as `status` shows it.
struct JobStatus {
  /// The documented states (manifest.md, "`--json` shapes").
  enum State: String {
    case idle
    case pending
    case running
    case expiring
    case disabled
  }

  var identifier: JobIdentifier
  /// Nil for a job that left the manifest before anything of it was kept.
  var kind: JobKind?
  var description: String?
  var state: State
  /// When it is due next: its first pending request, else its next scheduled instant.
  var next: WallInstant?
  /// 0…1, of the newest run.
  var progress: Double?
  var lastOutcome: Outcome?
  var lastReason: Reason?
  /// What holds back the first pending request, in each runner.
  var unmet: [GatesOfRunner<Reason>]
}

/// The table and the objects of `bgrun status`.
enum StatusReport {
  static func json(_ status: JobStatus) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("identifier", .text(status.identifier.text)),
      .init("kind", .optional(status.kind) { .text($0.rawValue) }),
      .init("state", .text(status.state.rawValue)),
      .init("next", .optional(status.next, InstantText.json)),
      .init("progress", .optional(status.progress) { .decimal($0) }),
      .init("lastOutcome", .optional(status.lastOutcome) { .text($0.rawValue) }),
      .init("lastReason", .optional(status.lastReason) { .text($0.rawValue) }),
      .init("unmet", json(status.unmet.nearest)),
    ]
    if status.unmet.count > 1 {
      members.append(.init("runners", .array(status.unmet.map(json))))
    }
    members.append(.init("description", .optional(status.description, JSONValue.text)))
    return .object(members)
  }

  private static func json(_ gates: GatesOfRunner<Reason>) -> JSONValue {
    .object(
      [
        .init("process", .optional(gates.runner) { .integer($0.processID) }),
        .init("host", .optional(gates.runner) { .text($0.host) }),
        .init("unmet", json(gates.gates)),
      ])
  }

  private static func json(_ gates: [Reason]) -> JSONValue {
    .array(gates.map { .text($0.rawValue) })
  }

  /// What is said below the table of who is alive; nil with one runner, of whom it tells by itself.
  static func summary(of runners: [Owner]) -> String? {
    switch runners.count {
    case 0: Workplace.noRunner
    case 1: nil
    default:
      "\(runners.count) runners are alive: \(runners.map(\.place).joined(separator: ", "))."
    }
  }

  static func table(_ statuses: [JobStatus], instants: InstantText) -> TextTable {
    var table = TextTable([
      ("JOB", .left), ("STATE", .left), ("NEXT", .left), ("LAST", .left), ("WAITS FOR", .left),
      ("DESCRIPTION", .left),
    ])
    for status in statuses {
      table.add([
        .init(status.identifier.text),
        .init(state(status), tint(status.state)),
        .init(status.next.map(instants.relative) ?? "-", status.next == nil ? .dim : nil),
        .init(last(status), status.lastOutcome.flatMap(HistoryReport.tint) ?? .dim),
        .init(status.unmet.names.joined(separator: ", "), .yellow),
        .init(status.description ?? "", .dim),
      ])
    }
    return table
  }

  private static func state(_ status: JobStatus) -> String {
    guard let progress = status.progress else { return status.state.rawValue }
    return "\(status.state.rawValue) \(Int(progress * 100)) %"
  }

  private static func last(_ status: JobStatus) -> String {
    guard let outcome = status.lastOutcome else { return "-" }
    return status.lastReason.map { "\(outcome.rawValue) (\($0.rawValue))" } ?? outcome.rawValue
  }

  private static func tint(_ state: JobStatus.State) -> TextStyle.Tint? {
    switch state {
    case .idle: nil
    case .pending: .yellow
    case .running: .green
    case .expiring: .red
    case .disabled: .dim
    }
  }
}
