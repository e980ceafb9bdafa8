import JobModel
import LinuxSystem

/// How the end of a task reads to who followed it.
enum TaskEndText {
  /// "Run 12 of com.example.export failed after 1.2 s: handlerExited, exit status 7"
  static func sentence(for row: HistoryRow, _ style: TextStyle) -> String {
    let subject =
      row.run.map { "Run \($0) of \(row.identifier)" } ?? "The request of \(row.identifier)"
    let verb =
      switch row.outcome {
      case .succeeded, .failed, .expired, .crashed: row.outcome.rawValue
      case .terminated, .cancelled, .interrupted, .skipped: "was \(row.outcome.rawValue)"
      }
    let took = row.startedAt.map { " after \(InstantText.took(row.endedAt - $0))" } ?? ""
    let facts = [row.reason?.rawValue, ending(of: row)].compactMap { $0 }
    return "\(subject) \(style.apply(HistoryReport.tint(row.outcome), to: verb))\(took)"
      + (facts.isEmpty ? "" : ": " + facts.joined(separator: ", "))
  }

  /// What is known of the end: the recorded detail, which names a status or signal, else those.
  static func ending(of row: HistoryRow) -> String? {
    if let detail = row.detail { return TerminalText.visible(detail) }
    if let signal = row.ending.signal { return Signals.name(of: signal) }
    return row.ending.exitStatus.flatMap { $0 == 0 ? nil : "exit status \($0)" }
  }
}
