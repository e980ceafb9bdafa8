import JobModel

/// `bgrun history`: what has ended, newest first.
package enum HistoryCommand {
  private static let identifier = Argument(
    "ID", .identifier, .optional, "Only this job; otherwise every job.")
  private static let limit = Option(
    "--limit", "N", .count(1...Int.max),
    "At most N rows, the newest; all of them with --json, otherwise the last 100.")
  private static let textLimit = 100

  /// The table's entry.
  package static let command = Command(
    "history", summary: "the runs that have ended, newest first",
    discussion: [
      "Shows every run with its start, duration, outcome and reason, and a row for what never ran: "
        + "skipped instants (with their count) and requests that were cancelled or refused.",
      "The first line on standard error names the store that is read.",
    ],
    arguments: [identifier],
    options: [.json, limit, .manifest, .state],
    examples: [
      .init("bgrun history", "The last 100 runs of every job."),
      .init(
        "bgrun history com.example.backup --json --limit 1 | jq '.[0].outcome'",
        "How the last run of one job ended."),
    ],
    exitCodes: [
      (.done, "The history was shown, even if it is empty."),
      (.notDone, "No store was found, several were, or the job is unknown."),
    ],
    perform: run)

  private static func run(_ invocation: Invocation) throws(CommandFailure) -> ExitCode {
    let workplace = try Workplace.forReading(invocation)
    let identifier = invocation.arguments.text(identifier).map(JobIdentifier.init)
    if let identifier { try workplace.requireKnown(identifier) }
    let isJSON = invocation.arguments.contains(.json)
    let limit = invocation.arguments.count(limit) ?? (isJSON ? nil : textLimit)
    let rows = try workplace.read { store throws(StoreFailure) in
      try store.history(of: identifier, limit: limit)
    }
    let output = invocation.context.output
    if isJSON {
      JSONValue.lines(
        rows.lazy.map { HistoryReport.json($0, folder: workplace.folder) }, to: output)
      return .done
    }
    guard !rows.isEmpty else {
      output.writeLine("Nothing has ended yet.")
      return .done
    }
    let table = HistoryReport.table(rows, instants: invocation.instants)
    for line in table.lines(invocation.outputStyle) { output.writeLine(line) }
    return .done
  }
}
