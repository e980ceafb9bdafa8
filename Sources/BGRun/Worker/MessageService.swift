import JobModel
import LinuxSystem
import Synchronization
import TaskHosts

/// What a worker does with the messages of its runner. One thread at a time hands them over.
final class MessageService: Sendable {
  private struct State {
    var current: HandlerRun?
    var limit: TimeLimitWatch?
    var isUrgent = false
  }

  private let channel: RunnerChannel
  private let background: BackgroundKeeping
  private let state = Mutex(State())

  init(_ channel: RunnerChannel, _ background: BackgroundKeeping) {
    self.channel = channel
    self.background = background
  }

  /// Does what a message asks for.
  ///
  /// - Parameter lend: asked whether the handler of a run may begin on the calling thread, when nothing
  ///   is left of the message but that: from then on another thread may hand over the next one.
  /// - Returns: false when the message doesn't make sense: the worker has to end.
  func take(_ message: MessageToWorker, lend: () -> Bool) -> Bool {
    switch message {
    case .launch(let launch):
      background.leaveBackground(.idle)
      let run = makeRun(launch)
      let wasUrgent = state.withLock { state in
        defer {
          state = State(
            current: run, limit: launch.monotonicDeadline.map { TimeLimitWatch(deadline: $0) })
        }
        return state.isUrgent
      }
      if wasUrgent { WorkerProcess.setUrgency(false) }
      run.start(from: .shared, permitting: channel.permissions, mayUseThread: lend())
    case .expire(let number, let reason):
      let expiring = state.withLock { state in
        state.current.flatMap { $0.launch.run == number ? $0 : nil }
      }
      guard let expiring else { return true }
      becomeUrgent()
      expiring.expire(reason)
    case .answer(let number, let answer): channel.take(answer, to: number)
    case .enterBackground(let time): background.enterBackground(.sentAway, for: time)
    case .enterForeground: background.leaveBackground(.sentAway)
    case .permit: return false
    }
    return true
  }

  /// When the run needs to be looked at next; nil when no time limit is ahead.
  var nextMoment: MonotonicInstant? { state.withLock { $0.limit?.next } }

  /// Warns the run when its time limit is reached, without waiting for the runner to say so: a busy
  /// machine would let both of them wait for a processor (LC4).
  func passMoment(at now: MonotonicInstant) {
    let (run, moment) = state.withLock { state in
      if state.current?.isOver ?? true { state.limit = nil }
      return (state.current, state.limit?.pass(at: now))
    }
    switch moment {
    case .near: becomeUrgent()
    case .reached: run?.expire(.timeLimit)
    case nil: break
    }
  }

  /// The handler's own threads have only the grace left.
  private func becomeUrgent() {
    let wasUrgent = state.withLock { state in
      defer { state.isUrgent = true }
      return state.isUrgent
    }
    if !wasUrgent { WorkerProcess.setUrgency(true) }
  }

  private func makeRun(_ launch: WorkerLaunch) -> HandlerRun {
    let channel = channel
    let background = background
    WorkerProcess.restartPeakMemory()
    let before = WorkerProcess.usage.processorTime
    let number = launch.run
    let throttle = ProgressThrottle { channel.send(.progressed(number, $0)) }
    return HandlerRun(launch, report: throttle.take) { run, completion in
      WorkerProcess.flushOutput()
      // Before the runner hears of the end: the next launch is the way back.
      background.enterBackground(.idle, for: launch.backgroundTime)
      let isHolding = background.isHolding
      let usage = WorkerProcess.usage
      let progress = run.progress
      channel.send(
        .completed(
          number,
          .init(
            completion, progress: progress.fractionCompleted > 0 ? progress.fractionCompleted : nil,
            usage: WorkerUsage(
              peakMemory: usage.peakMemory, processorTime: usage.processorTime - before),
            // Work that goes on may need them, and waits for them itself.
            hasLeftovers: run.isAbandoned || (!isHolding && WorkerProcess.hasChildren),
            hasReachedLimit: run.expiration == .timeLimit)))
    }
  }
}
