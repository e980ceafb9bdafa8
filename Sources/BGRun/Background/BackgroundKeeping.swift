import JobModel
import LinuxSystem
import Synchronization

/// Keeps the ledger of a program's background tasks, tells its host of them, and acts when their time
/// runs out. A thread of its own waits for that, only while something is held in the background.
package final class BackgroundKeeping: Sendable {
  /// Who calls an expiration handler.
  enum Handler: Sendable {
    case onMain(@MainActor @Sendable () -> Void)
    case onThread(@Sendable () -> Void)
  }

  /// What the surroundings want to know: the runner, in a worker.
  package struct Observer: Sendable {
    /// Whether anything is held, and whether nothing executes; called in order, and must not call
    /// back.
    package var holding: @Sendable (_ isHolding: Bool, _ isIdle: Bool) -> Void
    /// The time is over with tasks still begun: whoever can end the program does so.
    package var exhausted: @Sendable (BackgroundLeak) -> Void

    package init(
      holding: @escaping @Sendable (_ isHolding: Bool, _ isIdle: Bool) -> Void,
      exhausted: @escaping @Sendable (BackgroundLeak) -> Void
    ) {
      self.holding = holding
      self.exhausted = exhausted
    }
  }

  private struct State {
    var ledger = BackgroundLedger()
    var handlers: [Int: Handler] = [:]
    var observer: Observer?
    /// Whether the thread that waits for deadlines runs.
    var isWaitedFor = false
  }

  private let state = Mutex(State())
  private let bell = Bell()
  private let log: @Sendable (String) -> Void

  /// - Parameter log: takes warnings and reports, by default to standard error, a run's log in a worker.
  package init(
    log: @escaping @Sendable (String) -> Void = HandlerLogger(HandlerLogger.writeToStandardError)
      .warning
  ) {
    self.log = log
  }

  /// Tells the surroundings from now on, and at once if something is held already.
  package func observe(_ observer: Observer) {
    state.withLock { state in
      state.observer = observer
      if state.ledger.isHolding { observer.holding(true, state.ledger.isIdle) }
    }
  }

  /// Whether any task is begun.
  package var isHolding: Bool { state.withLock { $0.ledger.isHolding } }

  /// The program has a cause to be in the background; the first one starts the pool of `time` (BG3).
  package func enterBackground(_ cause: BackgroundCause, for time: Duration) {
    change { state, now in
      state.ledger.enterBackground(cause, for: time, now: now)
      return []
    }
  }

  /// A cause is gone; without any the program is in the foreground.
  package func leaveBackground(_ cause: BackgroundCause) {
    change { state, _ in
      state.ledger.leaveBackground(cause)
      return []
    }
  }

  func begin(
    _ name: String, at site: CallSite, handler: Handler?
  ) -> UIBackgroundTaskIdentifier {
    var identifier: Int?
    change { state, now in
      let begun = state.ledger.begin(name, at: site, hasHandler: handler != nil, now: now)
      identifier = begun.identifier
      if let number = begun.identifier { state.handlers[number] = handler }
      return begun.effects
    }
    return identifier.map { UIBackgroundTaskIdentifier(rawValue: $0) } ?? .invalid
  }

  func end(_ identifier: UIBackgroundTaskIdentifier, at site: CallSite) {
    change { state, _ in
      state.handlers[identifier.rawValue] = nil
      return state.ledger.end(identifier.rawValue, at: site)
    }
  }

  var timeRemaining: Double {
    state.withLock { $0.ledger.timeRemaining(at: Self.now)?.inSeconds }
      ?? .greatestFiniteMagnitude
  }

  /// BG10: `block` is called with false once it has a thread, and with true when the time is over; if
  /// that comes first, only with true.
  func performActivity(
    _ reason: String, at site: CallSite, _ block: @escaping @Sendable (Bool) -> Void
  ) {
    let granting = ActivityGrant()
    let task = begin(
      reason, at: site,
      handler: .onThread { if granting.expire() { Self.onThread { block(true) } } })
    guard task != .invalid else { return Self.onThread { block(true) } }
    Self.onThread { [self] in
      block(!granting.begin())
      end(task, at: site)
    }
  }

  // MARK: Time

  /// Changes the ledger, and does what follows from it. What the host is told keeps its order.
  private func change(
    _ body: (inout State, MonotonicInstant) -> [BackgroundLedger.Effect]
  ) {
    let (effects, isWaitedFor, needsThread) = state.withLock { state in
      let effects = body(&state, Self.now)
      for effect in effects {
        switch effect {
        case .hold: state.observer?.holding(true, state.ledger.isIdle)
        case .release: state.observer?.holding(false, state.ledger.isIdle)
        case .expire, .giveUp, .warn: break
        }
      }
      let isWaitedFor = state.isWaitedFor
      let needsThread = state.ledger.nextDeadline != nil && !isWaitedFor
      if needsThread { state.isWaitedFor = true }
      return (effects, isWaitedFor, needsThread)
    }
    for effect in effects { perform(effect) }
    if isWaitedFor { bell.ring() }
    if needsThread { Self.onThread { [self] in waitForDeadlines() } }
  }

  private func perform(_ effect: BackgroundLedger.Effect) {
    switch effect {
    case .hold, .release: break
    case .warn(let sentence): log(sentence)
    case .expire(let tasks): expire(tasks)
    case .giveUp(let tasks, let leak):
      log(leak.report)
      state.withLock { $0.observer }?.exhausted(leak)
      change { state, _ in state.ledger.abandon(tasks) }
    }
  }

  private func waitForDeadlines() {
    while true {
      let (effects, deadline) = state.withLock { state in
        let effects = state.ledger.pass(now: Self.now)
        let deadline = state.ledger.nextDeadline
        if deadline == nil { state.isWaitedFor = false }
        return (effects, deadline)
      }
      for effect in effects { perform(effect) }
      guard let deadline else { return }
      _ = bell.wait(atMost: max(.zero, deadline - Self.now))
    }
  }

  private func expire(_ tasks: [Int]) {
    let due = state.withLock { state in
      tasks.compactMap { task in state.handlers.removeValue(forKey: task).map { (task, $0) } }
    }
    var main: [(Int, @MainActor @Sendable () -> Void)] = []
    for (task, handler) in due {
      switch handler {
      case .onMain(let handler): main.append((task, handler))
      case .onThread(let handler):
        state.withLock { $0.ledger.handlerStarts(task) }
        handler()
      }
    }
    guard !main.isEmpty else { return }
    Task { @MainActor [main] in
      for (task, handler) in main {
        state.withLock { $0.ledger.handlerStarts(task) }
        handler()
        state.withLock { $0.ledger.handlerReturned(task) }
      }
    }
  }

  /// Where the machine has no thread to give, the work is done here: late is better than never.
  private static func onThread(_ body: @escaping @Sendable () -> Void) {
    if DetachedThread.start(body) != 0 { body() }
  }

  private static var now: MonotonicInstant {
    MonotonicInstant(nanoseconds: Clocks.now().monotonic)
  }
}

/// Whether an activity has begun before its time was over.
private final class ActivityGrant: Sendable {
  private enum Phase { case waiting, begun, expired }
  private let phase = Mutex(Phase.waiting)

  /// - Returns: whether there is time left.
  func begin() -> Bool {
    phase.withLock { phase in
      guard phase == .waiting else { return false }
      phase = .begun
      return true
    }
  }

  /// - Returns: whether the activity has begun, and has to be told.
  func expire() -> Bool {
    phase.withLock { phase in
      defer { phase = .expired }
      return phase == .begun
    }
  }
}
