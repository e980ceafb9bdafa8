import JobModel

/// Ended rows for programs and for people.
package enum HistoryReport {
  /// The documented object of one row (manifest.md, "`--json` shapes").
  ///
  /// - Parameter folder: the state folder, which makes the output's path whole.
  static func json(_ row: HistoryRow, folder: String) -> JSONValue {
    .object([
      .init("run", .optional(row.run) { .integer($0.value) }),
      .init("identifier", .text(row.identifier.text)),
      .init("key", .text(row.key)),
      .init("attempt", .integer(row.attempt)),
      .init("submittedAt", .optional(row.submittedAt, InstantText.json)),
      .init("scheduledAt", .optional(row.scheduledAt, InstantText.json)),
      .init("startedAt", .optional(row.startedAt, InstantText.json)),
      .init("endedAt", InstantText.json(row.endedAt)),
      .init("lateness", .optional(row.lateness) { .decimal($0.inSeconds) }),
      .init("peakMemory", .optional(row.ending.peakMemory) { .integer($0) }),
      .init("cpuTime", .optional(row.ending.cpuTime) { .decimal($0.inSeconds) }),
      .init("outcome", .text(row.outcome.rawValue)),
      .init("reason", .optional(row.reason) { .text($0.rawValue) }),
      .init("detail", .optional(row.detail, JSONValue.text)),
      .init("count", .integer(row.count)),
      .init("exitStatus", .optional(row.ending.exitStatus) { .integer($0) }),
      .init("signal", .optional(row.ending.signal) { .integer($0) }),
      .init("progress", .optional(row.progress) { .decimal($0) }),
      .init("output", .optional(row.output) { .text("\(folder)/\($0)") }),
      .init("host", .optional(row.host, JSONValue.text)),
    ])
  }

  /// A table, newest first.
  static func table(_ rows: [HistoryRow], instants: InstantText) -> TextTable {
    var table = TextTable([
      ("RUN", .right), ("JOB", .left), ("KEY", .left), ("STARTED", .left), ("TOOK", .right),
      ("OUTCOME", .left), ("WHY", .left),
    ])
    for row in rows {
      let took = row.startedAt.map { InstantText.took(row.endedAt - $0) }
      table.add([
        .init(row.run.map(\.description) ?? "-", row.run == nil ? .dim : nil),
        .init(row.identifier.text),
        .init(row.key),
        .init(instants.local(row.startedAt ?? row.endedAt)),
        .init(took ?? "-", took == nil ? .dim : nil),
        .init(outcome(row), tint(row.outcome)),
        .init(why(row)),
      ])
    }
    return table
  }

  static func tint(_ outcome: Outcome) -> TextStyle.Tint? {
    switch outcome {
    case .succeeded: .green
    case .failed, .crashed, .terminated, .expired: .red
    case .interrupted, .cancelled: .yellow
    case .skipped: .dim
    }
  }

  private static func outcome(_ row: HistoryRow) -> String {
    row.count > 1 ? "\(row.outcome.rawValue) × \(row.count)" : row.outcome.rawValue
  }

  /// The reason and what is known about it: "handlerExited: status 7", "missed".
  private static func why(_ row: HistoryRow) -> String {
    var parts: [String] = []
    if let ending = TaskEndText.ending(of: row) { parts.append(ending) }
    if row.attempt > 1 { parts.append("attempt \(row.attempt)") }
    let facts = parts.joined(separator: ", ")
    guard let reason = row.reason?.rawValue else { return facts }
    return facts.isEmpty ? reason : "\(reason): \(facts)"
  }
}
