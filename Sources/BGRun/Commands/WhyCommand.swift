import JobModel

/// `bgrun why`: every gate between a job and its next start (PL13).
enum WhyCommand {
  private static let identifier = Argument("ID", .identifier, .required, "The job.")
  /// A queue may hold any number of requests; the first few explain the rest.
  private static let requestLimit = 20

  static let command = Command(
    "why", summary: "every gate between a job and its next start",
    discussion: [
      "Lists for each pending request, or for the next instant of the schedule when nothing is "
        + "pending, every gate: whether it is open, since when, what was found, and what would open "
        + "it. Conditions are those that the runner sees on its machine; where several runners share "
        + "the store, each has its gates.",
      "The first line on standard error names the store that is read.",
    ],
    arguments: [identifier],
    options: [.json, .manifest, .state],
    examples: [
      .init("bgrun why com.example.backup", "What the backup waits for."),
      .init(
        "bgrun why com.example.mail --json | jq -r '.gates[] | select(.met | not).gate'",
        "Only the names of the gates that are shut."),
    ],
    exitCodes: [
      (.done, "The gates were shown, whatever they are."),
      (.notDone, "No store was found, several were, or the job is unknown."),
    ],
    perform: run)

  private static func run(_ invocation: Invocation) throws(CommandFailure) -> ExitCode {
    let workplace = try Workplace.forReading(invocation)
    let identifier = JobIdentifier(invocation.arguments.text(identifier) ?? "")
    try workplace.requireKnown(identifier)
    let reading = try StatusReading(workplace, in: invocation.context)
    let waiting = try workplace.read { store throws(StoreFailure) in
      try store.pending(of: identifier, limit: requestLimit)
    }
    let leased = try workplace.claimedRuns(of: identifier).filter(\.isLeased)
    let pending = (waiting + leased.map(\.requestBeforeLease))
      .sorted(by: RequestRecord.isDueEarlier).prefix(requestLimit)
    let report = WhyReport(
      status: reading.status(of: identifier), live: reading.live(of: identifier),
      waits: reading.gates(of: Array(pending), identifier))
    let output = invocation.context.output
    if invocation.arguments.contains(.json) {
      output.writeLine(report.json.text(isIndented: true))
    } else {
      for line in report.lines(invocation.instants, invocation.outputStyle) {
        output.writeLine(line)
      }
    }
    return .done
  }
}
