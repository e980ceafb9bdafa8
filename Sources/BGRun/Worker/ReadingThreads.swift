import JobModel
import LinuxSystem
import Synchronization

/// The two threads of a worker that take turns at reading what the runner sends.
///
/// A run's handler begins on the thread that has read its launch: to pass it on to another thread
/// takes longer than many a handler. The other thread relieves the reader when the handler keeps it
/// for more than a moment, so that a warning always finds somebody who listens (LC4).
final class ReadingThreads: Sendable {
  /// How long a handler may keep the reader before it is relieved: no warning is later than that.
  private static let patience = Duration.milliseconds(1)

  private enum Name { case first, second }

  private struct State {
    /// Whose turn it is.
    var reader = Name.first
    /// Whether the reader has lent itself to a handler.
    var isLent = false
    /// Whether the other thread waits to relieve it.
    var hasRelief = false
  }

  private let channel: RunnerChannel
  private let service: MessageService
  private let alarm: Alarm
  private let state = Mutex(State())

  private init(_ channel: RunnerChannel, _ service: MessageService) throws(SystemError) {
    self.channel = channel
    self.service = service
    alarm = try Alarm()
  }

  /// Starts the threads; they end the process when the runner is gone or doesn't make sense.
  static func start(
    _ channel: RunnerChannel, _ service: MessageService
  ) throws(SystemError) {
    let threads = try ReadingThreads(channel, service)
    for name in [Name.first, .second] {
      let code = DetachedThread.start { threads.takeTurns(as: name) }
      guard code == 0 else { throw SystemError("pthread_create", code: code) }
    }
  }

  private func takeTurns(as name: Name) -> Never {
    while true {
      if !isReader(name) { waitForTurn(as: name) }
      // A warning is worth nothing when it is late.
      WorkerProcess.hurry()
      while isReader(name) { readOne(as: name) }
    }
  }

  private func readOne(as name: Name) {
    switch channel.receive(until: service.nextMoment) {
    case .message(let message):
      var isLent = false
      let isUnderstood = service.take(message) {
        isLent = lend()
        return isLent
      }
      if isLent { takeBack(name) }
      if !isUnderstood { WorkerProcess.killItself() }
    case .nothing: service.passMoment(at: MonotonicInstant(nanoseconds: Clocks.now().monotonic))
    case .end: WorkerProcess.killItself()
    }
  }

  private func isReader(_ name: Name) -> Bool { state.withLock { $0.reader == name } }

  /// Lets the handler of a run have this thread, if the other one can relieve it.
  private func lend() -> Bool {
    let isLent = state.withLock { state in
      state.isLent = state.hasRelief
      return state.isLent
    }
    if isLent { alarm.set(after: Self.patience) }
    return isLent
  }

  /// The handler has returned, or waits for something.
  private func takeBack(_ name: Name) {
    let wasRelieved = state.withLock { state in
      guard state.reader == name else { return true }
      state.isLent = false
      return false
    }
    // Otherwise the alarm is the other one's now.
    if !wasRelieved { alarm.clear() }
  }

  private func waitForTurn(as name: Name) {
    state.withLock { $0.hasRelief = true }
    while true {
      alarm.wait()
      let isMine = state.withLock { state in
        guard state.isLent else { return false }
        state = State(reader: name)
        return true
      }
      guard isMine else { continue }
      // The one that the handler keeps is a thread like any other from now on.
      return WorkerProcess.setUrgency(false)
    }
  }
}
