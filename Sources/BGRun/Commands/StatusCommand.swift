import JobModel
import LinuxSystem

/// `bgrun status`: what every job is doing.
enum StatusCommand {
  private static let watch = Option(
    flag: "--watch", "Show it again at each change, until Ctrl-C.")

  static let command = Command(
    "status", summary: "what each job does now, when it is next due and what it waits for",
    discussion: [
      "Shows each job's state (idle, pending, running, expiring or disabled), when it is next due, "
        + "how it last ended and the gates that hold it back; 'bgrun why ID' explains those. Where "
        + "several runners share the store, a gate that is shut for some of them names their processes.",
      "The first line on standard error names the store that is read.",
    ],
    options: [.json, watch, .manifest, .state],
    examples: [
      .init("bgrun status", "Every job, once."),
      .init("bgrun status --watch", "The same, kept up to date."),
      .init(
        "bgrun status --json | jq -r '.[] | select(.state == \"pending\").identifier'",
        "The jobs that wait."),
    ],
    exitCodes: [
      (.done, "The status was shown."),
      (.notDone, "No store was found, or several were."),
      (.interrupted, "Ctrl-C ended --watch."),
    ],
    perform: run)

  private static func run(_ invocation: Invocation) throws(CommandFailure) -> ExitCode {
    let workplace = try Workplace.forReading(invocation)
    guard invocation.arguments.contains(watch) else {
      try show(workplace, invocation)
      return .done
    }
    return try follow(workplace, invocation)
  }

  private static func follow(
    _ workplace: Workplace, _ invocation: Invocation
  ) throws(CommandFailure) -> ExitCode {
    guard workplace.store != nil else {
      throw .notDone(
        "there is nothing to watch: no store is in \(workplace.folder) yet",
        advice: "A runner makes it: bgrun run")
    }
    let output = invocation.context.output
    let happenings = try Happenings(
      watchingTimesOf: workplace.changingFiles, in: invocation.context)
    while true {
      // On a terminal each showing takes the place of the last.
      if output.isTerminal { output.write("\u{1B}[H\u{1B}[2J") }
      let refreshes = try show(workplace, invocation)
      output.flush()
      guard output.failure == nil else { return .done }
      switch try happenings.next(waitingAtMost: refreshes) {
      case .interrupted: return .interrupted
      case .suspended: Suspension.stopThisProcess()
      case .changed, .elapsed, .typed: break
      }
    }
  }

  /// - Returns: how long the text stays true if nothing happens: relative times age.
  @discardableResult
  private static func show(
    _ workplace: Workplace, _ invocation: Invocation
  ) throws(CommandFailure) -> Duration {
    let now = invocation.context.now().wall
    let reading = try StatusReading(workplace, in: invocation.context)
    let statuses = reading.statuses
    let output = invocation.context.output
    if invocation.arguments.contains(.json) {
      JSONValue.lines(statuses.map(StatusReport.json), to: output)
      return .seconds(3600)
    }
    if statuses.isEmpty {
      output.writeLine("No job is known here.")
    } else {
      let table = StatusReport.table(statuses, instants: invocation.instants)
      for line in table.lines(invocation.outputStyle) { output.writeLine(line) }
      if let summary = StatusReport.summary(of: reading.runners) {
        output.writeLine()
        output.writeLine(summary)
      }
    }
    let nearest = statuses.compactMap(\.next).map { $0 > now ? $0 - now : now - $0 }.min()
    return (nearest ?? .seconds(3600)) < .seconds(60) ? .seconds(1) : .seconds(60)
  }
}
