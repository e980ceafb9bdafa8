import JobEngine
import JobModel
import LinuxSystem

/// Follows one task to its end, with its progress; asks at Ctrl-C whether to stop it (CP5), and
/// whether to wait for it when it makes no progress (CP3).
struct TaskFollowing {
  private let workplace: Workplace
  private let invocation: Invocation
  private let task: FollowedTask
  private let happenings: Happenings
  private let attending: Attending
  private var line: LiveLine
  /// The run that was seen last, to tell of its end when the request goes on.
  private var seenRun: RunNumber?
  private var question = Question.none
  private var hasAskedToStop = false
  private var saidNoRunner = false

  /// What the person is asked at the moment.
  private enum Question {
    case none
    /// Whether to stop the task (CP5).
    case stop
    /// Whether to wait for a run that has stalled since then (CP3).
    case stall(RunNumber, since: WallInstant)

    var isOpen: Bool {
      switch self {
      case .none: false
      case .stop, .stall: true
      }
    }
  }

  private static let stopQuestion = "Stop the task? [y/N]"

  init(
    _ task: FollowedTask, _ workplace: Workplace, _ invocation: Invocation
  ) throws(CommandFailure) {
    self.task = task
    self.workplace = workplace
    self.invocation = invocation
    line = LiveLine(
      sink: invocation.context.output, environment: invocation.context.environment)
    attending = Attending(stateDirectory: workplace.folder)
    happenings = try Happenings(
      watchingTimesOf: workplace.changingFiles, in: invocation.context)
  }

  /// - Returns: done for a success, findings for any other end, interrupted when the person left or
  ///   stopped it.
  mutating func follow() throws(CommandFailure) -> ExitCode {
    while true {
      if let code = try show(task.standing(in: workplace)) { return code }
      guard invocation.context.output.failure == nil else { return .done }
      switch try happenings.next(waitingAtMost: Happenings.lookInterval) {
      case .changed, .elapsed: break
      case .interrupted:
        guard try !leavesAtInterrupt() else { return leave() }
      case .suspended:
        // Who can't answer doesn't watch.
        attending.cease()
        line.erase()
        Suspension.stopThisProcess()
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
      attending.cease()
      try tellEndOfSeenRun()
      return question.isOpen ? nil : try showWaiting(request)
    case .running(let run):
      if seenRun != run.run { try tellEndOfSeenRun() }
      if seenRun == nil { tell("Run \(run.run) of \(task.identifier) has started.") }
      seenRun = run.run
      guard try workplace.hasRunner(of: run) else { return try showOrphan(run) }
      saidNoRunner = false
      attend(run)
      try reviewQuestion(of: run)
      if !question.isOpen {
        line.draw(ProgressLine(of: run, workplace.jobs?.definition(for: task.identifier)))
      }
      return nil
    case .ended(let row):
      attending.cease()
      withdrawQuestion()
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
    if case .stall = question { withdrawQuestion() }
    if case .ended(let row) = try workplace.run(number) {
      tell(TaskEndText.sentence(for: row, invocation.outputStyle))
    }
  }

  /// Says something that doesn't settle an open question, which follows it again.
  private mutating func tell(_ text: String) {
    if question.isOpen { line.endQuestion() }
    line.say(text)
    if case .stop = question { line.ask(Self.stopQuestion) }
  }

  private mutating func showWaiting(_ request: RequestRecord) throws(CommandFailure) -> ExitCode? {
    guard try workplace.hasRunner() else { return try showWithoutRunner(request) }
    saidNoRunner = false
    let reading = try StatusReading(workplace, in: invocation.context)
    // It may have started since the look that found it waiting.
    if reading.live(of: task.identifier).contains(where: { $0.request.id == request.id }) {
      return try show(task.standing(in: workplace))
    }
    let gates = reading.gates(of: [request], task.identifier).first?.gates ?? []
    let shut = gates.filter { !$0.isMet }.map { "\($0.gate.rawValue) (\($0.value))" }
    let what = shut.isEmpty ? "the runner" : shut.joined(separator: ", ")
    line.draw(ProgressLine(title: "\(task.identifier) waits for \(what)"))
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

  // MARK: Who watches

  /// Runners know of a person at a terminal who deals with this process now.
  private func attend(_ run: RunRecord) {
    let context = invocation.context
    guard context.input.isTerminal || context.output.isTerminal, context.isInForeground() else {
      return attending.cease()
    }
    attending.watch(run.run, canAnswer: canAnswer)
  }

  private var canAnswer: Bool {
    invocation.context.input.isTerminal && invocation.context.output.isTerminal
  }

  // MARK: What the person says

  /// Asks about a stall that the store knows of, and takes the question back when it is settled.
  private mutating func reviewQuestion(of run: RunRecord) throws(CommandFailure) {
    let isGoing = run.expiring == nil && run.stopRequested == nil
    let stalledSince = isGoing ? run.stalledSince : nil
    switch question {
    case .none: break
    case .stop: return
    case .stall(let asked, let since):
      guard asked != run.run || since != stalledSince else { return }
      withdrawQuestion()
    }
    guard let stalledSince, canAnswer, invocation.context.isInForeground() else { return }
    let still = max(.zero, invocation.context.now().wall - stalledSince)
    try happenings.listen(to: invocation.context.input)
    question = .stall(run.run, since: stalledSince)
    line.ask("No progress for \(InstantText.rough(still)). Go on waiting? [Y/n]")
  }

  /// The question no longer matters: whatever is typed now is no answer to it.
  private mutating func withdrawQuestion() {
    guard question.isOpen else { return }
    happenings.stopListening()
    question = .none
    line.endQuestion()
  }

  /// - Returns: whether to leave; otherwise the person has been asked.
  private mutating func leavesAtInterrupt() throws(CommandFailure) -> Bool {
    if case .stop = question { return true }
    guard invocation.context.input.isTerminal, !hasAskedToStop else { return true }
    try happenings.listen(to: invocation.context.input)
    question = .stop
    // The terminal has just written ^C.
    line.ask("\n" + Self.stopQuestion)
    return false
  }

  /// - Returns: whether to go on following; the end of the input isn't an answer.
  private mutating func take(_ answer: String?) throws(CommandFailure) -> Bool {
    happenings.stopListening()
    let asked = question
    question = .none
    guard let answer else { return false }
    switch asked {
    case .none: return true
    case .stop: return try stop(["y", "yes"].contains(answer.lowercased()))
    case .stall(let run, _):
      // One that has ended by itself meanwhile is told of next.
      _ = try workplace.commit(
        [
          ["n", "no"].contains(answer.lowercased())
            ? .requestStop(StopRequest(run: run, reason: .progressStalled)) : .goOnWaiting(run)
        ], at: invocation.context.now().wall)
      return true
    }
  }

  private mutating func stop(_ isWanted: Bool) throws(CommandFailure) -> Bool {
    guard isWanted else { return true }
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
