package import BGRun
import Dispatch
public import Foundation
import JobModel
import Synchronization
import TaskHosts

/// A task that was launched: the work's way of telling that it is done, and of being told to stop.
open class BGTask: NSObject, @unchecked Sendable {
  /// What a launch handler is at.
  private enum Launch {
    case waiting
    case inHandler
    case returned
  }

  /// A closure that isn't Sendable, as Apple declares it, and is called once.
  private struct ExpirationHandler: @unchecked Sendable {
    let call: () -> Void
  }

  private struct State {
    var launch = Launch.waiting
    var handler: ExpirationHandler?
    var isWarned = false
    /// Whether there was a handler when the warning came, or after.
    var isTold = false
    var isCompleted = false
    /// Whether its run was given up for lack of a handler; where it can't be killed it goes on.
    var isAbandoned = false

    var lacksHandler: Bool { isWarned && !isTold && !isCompleted && !isAbandoned }

    mutating func takeHandler() -> ExpirationHandler? {
      guard isWarned, let handler else { return nil }
      isTold = true
      self.handler = nil
      return handler
    }
  }

  /// LC4: expiration handlers are called side by side.
  private static let expirations = DispatchQueue(
    label: "bgrun.BGTask.expiration", attributes: .concurrent)
  /// How long a launch handler that is warned while it runs has to set an expiration handler.
  private static let settlingTime = DispatchTimeInterval.milliseconds(50)

  package let run: HandlerRun
  private let state = Mutex(State())

  init(_ run: HandlerRun) {
    self.run = run
    super.init()
    run.onExpiration { [weak self] in self?.warn() }
  }

  deinit {
    guard !state.withLock({ $0.isCompleted }) else { return }
    let sentence = "the task was released without setTaskCompleted(success:)"
    // First, since the log is the run's until its end is told.
    Misuse.warn(
      "\(run.launch.identifier): \(sentence); complete it on every way out (LC10)", to: run.log)
    run.complete(.failed(.neverCompleted, detail: sentence))
  }

  /// The task's identifier.
  open var identifier: String { run.launch.identifier }

  /// Called once when the task has to stop, on a background queue beside others; the task should
  /// then be completed at once (LC4, LC5). Without one, the task ends at that moment (LC6); in a server's
  /// own process, where it can't be killed, it ends as expired when it is completed (EM1). One that is
  /// set after the warning is called at once.
  open var expirationHandler: (() -> Void)? {
    get { state.withLock { $0.handler }?.call }
    set {
      let handler = newValue.map { ExpirationHandler(call: $0) }
      let due = state.withLock { state -> ExpirationHandler? in
        guard !state.isCompleted, !state.isTold else { return nil }
        state.handler = handler
        return state.takeHandler()
      }
      if let due { Self.tell(due) }
    }
  }

  /// Completes the task; only the first call counts (LC2).
  open func setTaskCompleted(success: Bool) {
    let isFirst = state.withLock { state in
      defer {
        state.isCompleted = true
        state.handler = nil
      }
      return !state.isCompleted
    }
    guard isFirst else {
      return Misuse.warn(
        "\(identifier): setTaskCompleted(success:) was called again; a task is completed once, and "
          + "the first call counts (LC2)", to: run.log)
    }
    willComplete()
    run.complete(
      success
        ? .succeeded
        : .failed(.handlerThrew, detail: "setTaskCompleted(success: false)"))
  }

  /// What a kind of task does before its end is told.
  func willComplete() {}

  /// What a kind of task does when its warning comes.
  func willExpire() {}

  /// Calls the launch handler, on its queue.
  func launch(_ launchHandler: (BGTask) -> Void) {
    let isWarned = state.withLock { state in
      state.launch = .inHandler
      return state.isWarned
    }
    if isWarned { settle() }
    launchHandler(self)
    let lacksHandler = state.withLock { state in
      state.launch = .returned
      return state.lacksHandler
    }
    if lacksHandler { abandon() }
  }

  private func warn() {
    willExpire()
    let (due, launch, lacksHandler) = state.withLock { state in
      state.isWarned = true
      return (state.takeHandler(), state.launch, state.lacksHandler)
    }
    if let due { return Self.tell(due) }
    guard lacksHandler else { return }
    switch launch {
    // The launch handler has had no chance to set one.
    case .waiting: break
    case .inHandler: settle()
    case .returned: abandon()
    }
  }

  /// A launch handler that is warned while it runs may be about to set its expiration handler, or
  /// do all its work without one.
  private func settle() {
    Self.expirations.asyncAfter(deadline: .now() + Self.settlingTime) { [weak self] in
      guard let self, state.withLock({ $0.lacksHandler }) else { return }
      abandon()
    }
  }

  private func abandon() {
    let canBeKilled = run.canBeKilled
    let isFirst = state.withLock { state in
      guard !state.isCompleted, !state.isAbandoned else { return false }
      state.isAbandoned = true
      state.isCompleted = canBeKilled
      return true
    }
    guard isFirst else { return }
    if canBeKilled { willComplete() }
    let consequence =
      canBeKilled
      ? "it was ended without a warning"
      : "it can't be told to stop, and keeps its place until it is completed"
    Misuse.warn(
      "\(identifier) has no expirationHandler, so \(consequence): set one in the launch handler, "
        + "before the work begins (LC6)", to: run.log)
    run.abandon()
  }

  private static func tell(_ handler: ExpirationHandler) {
    expirations.async { handler.call() }
  }
}

/// A task that refreshes the program's content.
open class BGAppRefreshTask: BGTask, @unchecked Sendable {}

/// A task of some minutes.
open class BGProcessingTask: BGTask, @unchecked Sendable {}
