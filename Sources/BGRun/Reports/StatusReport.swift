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
  /// What holds back the first pending request.
  var unmet: [Reason]
}

/// The table and the objects of `bgrun status`.
enum StatusReport {
  static func json(_ status: JobStatus) -> JSONValue {
    .object([
      .init("identifier", .text(status.identifier.text)),
      .init("kind", .optional(status.kind) { .text($0.rawValue) }),
      .init("state", .text(status.state.rawValue)),
      .init("next", .optional(status.next, InstantText.json)),
      .init("progress", .optional(status.progress) { .decimal($0) }),
      .init("lastOutcome", .optional(status.lastOutcome) { .text($0.rawValue) }),
      .init("lastReason", .optional(status.lastReason) { .text($0.rawValue) }),
      .init("unmet", .array(status.unmet.map { .text($0.rawValue) })),
      .init("description", .optional(status.description, JSONValue.text)),
    ])
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
        .init(status.unmet.map(\.rawValue).joined(separator: ", "), .yellow),
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
