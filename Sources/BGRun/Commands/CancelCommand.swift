import JobModel

/// `bgrun cancel`: ends what is pending and asks what runs to stop.
enum CancelCommand {
  private static let target = Argument(
    "ID|RUN", .identifierOrRun, .required, "The job, or the number of one of its runs.")

  static let command = Command(
    "cancel", summary: "end what is pending of a job and stop what runs of it",
    discussion: [
      "With an identifier: ends every pending request of the job, those that wait for a retry too, "
        + "and asks each of its runs to stop. With the number of a run: only that run. A run that is "
        + "asked to stop gets its warning and its grace, and ends as cancelled.",
      "Says which requests and runs it met. A running runner notices at once.",
    ],
    arguments: [target],
    options: [.key, .manifest, .state],
    examples: [
      .init("bgrun cancel com.example.export", "Everything of the export, pending or running."),
      .init("bgrun cancel 42", "Only run 42."),
    ],
    exitCodes: [
      (.done, "Something was cancelled, or was asked to stop."),
      (.notDone, "Nothing of it was pending or running, or no store was found."),
    ],
    perform: run)

  private static func run(_ invocation: Invocation) throws(CommandFailure) -> ExitCode {
    let workplace = try Workplace.forActing(invocation)
    let text = invocation.arguments.text(target) ?? ""
    if let number = Int64(text) {
      guard !invocation.arguments.contains(.key) else {
        throw .usage(
          UsageError("'--key' goes with an identifier, not with a run", command: "cancel"))
      }
      try stop(RunNumber(number), workplace, invocation)
    } else {
      try cancel(JobIdentifier(text), workplace, invocation)
    }
    return .done
  }

  private static func stop(
    _ number: RunNumber, _ workplace: Workplace, _ invocation: Invocation
  ) throws(CommandFailure) {
    switch try workplace.run(number) {
    case .ended(let row):
      throw .notDone("run \(number) of '\(row.identifier)' has ended already: \(row.outcome)")
    case .live(let run):
      guard try askToStop([run], workplace, invocation) > 0 else {
        throw .notDone("run \(number) of '\(run.request.identifier)' has just ended")
      }
    }
  }

  private static func cancel(
    _ identifier: JobIdentifier, _ workplace: Workplace, _ invocation: Invocation
  ) throws(CommandFailure) {
    try workplace.requireKnown(identifier)
    let key = invocation.arguments.text(.key)
    let now = invocation.context.now().wall
    // Pending ones first: none of them can start in the place of a run that stops.
    let verdicts = try workplace.commit(
      [
        .cancel(Cancellation(identifier: identifier, key: key, reason: .userCancelled, at: now))
      ], at: now)
    var ended = 0
    if case .applied(.counted(let count))? = verdicts.first { ended = count }
    if ended > 0 {
      let requests = ended == 1 ? "1 pending request" : "\(ended) pending requests"
      invocation.context.output.writeLine("Cancelled \(requests) of \(identifier).")
    }
    let runs = try workplace.claimedRuns(of: identifier).filter {
      key == nil || $0.request.key == key
    }
    let asked = try askToStop(runs, workplace, invocation)
    guard ended + asked > 0 else {
      throw .notDone(
        "nothing of '\(identifier)'\(KeyText.phrase(key ?? "")) is pending or running")
    }
  }

  /// - Returns: how many runs hadn't ended by themselves.
  private static func askToStop(
    _ runs: [RunRecord], _ workplace: Workplace, _ invocation: Invocation
  ) throws(CommandFailure) -> Int {
    let requests = runs.map {
      Transition.requestStop(StopRequest(run: $0.run, reason: .userCancelled))
    }
    let verdicts = try workplace.commit(requests, at: invocation.context.now().wall)
    let asked = zip(runs, verdicts).filter { $1 == .applied(.done) }.map(\.0)
    for run in asked {
      let key = KeyText.phrase(run.request.key)
      invocation.context.output.writeLine(
        "Asked run \(run.run) of \(run.request.identifier)\(key) to stop.")
    }
    if !asked.isEmpty, try !workplace.hasRunner() {
      invocation.context.output.writeLine(
        "Its runner is gone: the next one records the end when it starts.")
    }
    return asked.count
  }
}
