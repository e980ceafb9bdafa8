import JobEngine
import JobModel

/// Follows one task to its end, with its progress, and asks at Ctrl-C whether to stop it (CP5).
struct TaskFollowing {
  private let workplace: Workplace
  private let invocation: Invocation
  private let task: FollowedTask
  private let happenings: Happenings
  private var line: LiveLine
  /// The run that was seen last, to tell of its end when the request goes on.
  private var seenRun: RunNumber?
  private var isAsking = false
  private var hasAskedToStop = false
  private var saidNoRunner = false

  /// A runner that was killed changes nothing in the store: its lock is asked for this often.
  private static let lookInterval = Duration.seconds(1)

  init(
    _ task: FollowedTask, _ workplace: Workplace, _ invocation: Invocation
  ) throws(CommandFailure) {
    self.task = task
    self.workplace = workplace
    self.invocation = invocation
    line = LiveLine(sink: invocation.context.output, style: invocation.outputStyle)
    happenings = try Happenings(watching: workplace.changingFiles, in: invocation.context)
  }

  /// - Returns: done for a success, findings for any other end, interrupted when the person left or
  ///   stopped it.
  mutating func follow() throws(CommandFailure) -> ExitCode {
    while true {
      if !isAsking, let code = try show(task.standing(in: workplace)) { return code }
      guard invocation.context.output.failure == nil else { return .done }
      switch try happenings.next(waitingAtMost: isAsking ? nil : Self.lookInterval) {
      case .changed: try workplace.awaitVisibleChanges()
      case .elapsed: break
      case .interrupted:
        guard try !leavesAtInterrupt() else { return leave() }
      case .typed(let answer):
        guard try take(answer) else { return leave() }
      }
    }
  }

  // MARK: What is seen

  /// - Returns: the exit code once it has ended.
  private mutating func show(_ standing: FollowedTask.Standing) throws(CommandFailure) -> ExitCode?
  {
    switch standing {
    case .pending(let request):
      try tellEndOfSeenRun()
      return try showWaiting(request)
    case .running(let run):
      if seenRun != run.run { try tellEndOfSeenRun() }
      if seenRun == nil { line.say("Run \(run.run) of \(task.identifier) has started.") }
      seenRun = run.run
      guard try workplace.hasRunner(of: run) else { return try showOrphan(run) }
      saidNoRunner = false
      line.draw(LiveLine.progress(of: run, title: title(of: run)))
      return nil
    case .ended(let row):
      line.say(TaskEndText.sentence(for: row, invocation.outputStyle))
      if hasAskedToStop, row.outcome != .succeeded { return .interrupted }
      return row.outcome == .succeeded ? .done : .findings
    case .forgotten:
      throw .notDone("what became of '\(task.identifier)' is no longer kept in \(workplace.folder)")
    }
  }

  private mutating func tellEndOfSeenRun() throws(CommandFailure) {
    guard let number = seenRun else { return }
    seenRun = nil
    if case .ended(let row) = try workplace.run(number) {
      line.say(TaskEndText.sentence(for: row, invocation.outputStyle))
    }
  }

  private mutating func showWaiting(_ request: RequestRecord) throws(CommandFailure) -> ExitCode? {
    guard try workplace.hasRunner() else { return try showWithoutRunner(request) }
    saidNoRunner = false
    let reading = try StatusReading(workplace, in: invocation.context)
    let gates = reading.gates(of: [request], task.identifier).first?.gates ?? []
    let shut = gates.filter { !$0.isMet }.map { "\($0.gate.rawValue) (\($0.value))" }
    line.draw(
      "\(task.identifier) waits for "
        + (shut.isEmpty ? "the runner" : shut.joined(separator: ", ")))
    return nil
  }

  /// The request is kept; whether to wait with it is for a person to say.
  private mutating func showWithoutRunner(
    _ request: RequestRecord
  ) throws(CommandFailure) -> ExitCode? {
    guard invocation.context.input.isTerminal else {
      line.erase()
      throw .notDone(
        "no runner is alive: the request of '\(task.identifier)' is kept and waits for one",
        advice: "Start it with 'bgrun run', or take the request back with "
          + "'bgrun cancel \(task.identifier)'.")
    }
    if !saidNoRunner {
      line.say("No runner is alive: the request is kept and waits until 'bgrun run' starts one.")
      saidNoRunner = true
    }
    return nil
  }

  /// The run is over, and only another runner can record how (DU2).
  private mutating func showOrphan(_ run: RunRecord) throws(CommandFailure) -> ExitCode? {
    guard invocation.context.input.isTerminal else {
      line.erase()
      throw .notDone(
        "the runner of run \(run.run) of '\(task.identifier)' is gone",
        advice: "The next one records the run as interrupted when it starts: bgrun run")
    }
    if !saidNoRunner {
      line.say("Its runner is gone: the run ends when 'bgrun run' starts another one.")
      saidNoRunner = true
    }
    return nil
  }

  private func title(of run: RunRecord) -> String {
    run.title ?? run.request.title
      ?? workplace.jobs?.definition(for: task.identifier)?.title ?? task.identifier.text
  }

  // MARK: What the person says

  /// - Returns: whether to leave; otherwise the person has been asked.
  private mutating func leavesAtInterrupt() throws(CommandFailure) -> Bool {
    guard invocation.context.input.isTerminal, !isAsking, !hasAskedToStop else { return true }
    try happenings.listen(to: invocation.context.input)
    isAsking = true
    line.erase()
    invocation.context.output.write("\nStop the task? [y/N] ")
    invocation.context.output.flush()
    return false
  }

  /// - Returns: whether to go on following; the end of the input isn't an answer.
  private mutating func take(_ answer: String?) throws(CommandFailure) -> Bool {
    happenings.stopListening()
    isAsking = false
    guard let answer else { return false }
    guard ["y", "yes"].contains(answer.lowercased()) else { return true }
    hasAskedToStop = true
    let now = invocation.context.now().wall
    switch try task.standing(in: workplace) {
    case .running(let run):
      _ = try workplace.commit(
        [.requestStop(StopRequest(run: run.run, reason: .userCancelled))], at: now)
    case .pending(let request):
      _ = try workplace.commit(
        [
          .cancel(
            Cancellation(
              identifier: task.identifier, key: request.key, reason: .userCancelled, at: now))
        ], at: now)
    case .ended, .forgotten: break
    }
    return true
  }

  private mutating func leave() -> ExitCode {
    line.erase()
    let again =
      seenRun.map { "'bgrun attach \($0)' follows it again" }
      ?? "'bgrun why \(task.identifier)' says what it waits for"
    invocation.context.errors.writeLine("\nThe task goes on; \(again).")
    return .interrupted
  }
}
