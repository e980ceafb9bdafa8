package import JobModel
import Synchronization
package import TaskHosts

/// One run of a handler, between whoever hosts it and the way in which it was written.
package final class HandlerRun: Sendable {
  private struct State {
    var expiration: Reason?
    var onExpiration: (@Sendable () -> Void)?
    var isCompleted = false
    var isAbandoned = false
    /// Whether the handler may begin on the thread that starts the run, which somebody else relieves.
    var mayUseThread = false
  }

  package let launch: WorkerLaunch
  package let progress: HandlerProgress
  package let checkpoint: Checkpoint
  private let state = Mutex(State())
  /// Whether the handler's process can be killed: a worker can, a server can't (EM1).
  package let canBeKilled: Bool
  /// Takes the lines of the handler's logger.
  package let log: @Sendable (_ line: String) -> Void
  private let ended: @Sendable (HandlerRun, HandlerCompletion) -> Void

  /// - Parameters:
  ///   - report: takes changes of progress.
  ///   - log: takes lines for the run's log; in a worker that is the standard error.
  ///   - completed: takes the end, once, on the thread that completes the run.
  package convenience init(
    _ launch: WorkerLaunch, report: @escaping @Sendable (HandlerProgress.Change) -> Void,
    log: @escaping @Sendable (_ line: String) -> Void = HandlerLogger.writeToStandardError,
    completed: @escaping @Sendable (HandlerCompletion, HandlerProgress) -> Void
  ) {
    self.init(
      launch, report: report, log: log,
      ended: { run, completion in completed(completion, run.progress) })
  }

  /// - Parameters:
  ///   - canBeKilled: whether the handler's process can be killed.
  ///   - report: takes changes of progress.
  ///   - log: takes lines for the run's log; in a worker that is the standard error.
  ///   - ended: takes the run and its end, once, on the thread that completes it.
  package init(
    _ launch: WorkerLaunch, canBeKilled: Bool = true,
    report: @escaping @Sendable (HandlerProgress.Change) -> Void,
    log: @escaping @Sendable (_ line: String) -> Void = HandlerLogger.writeToStandardError,
    ended: @escaping @Sendable (HandlerRun, HandlerCompletion) -> Void
  ) {
    self.launch = launch
    self.canBeKilled = canBeKilled
    progress = HandlerProgress(
      title: launch.title ?? "", subtitle: launch.subtitle ?? "", onChange: report)
    checkpoint = Checkpoint(folder: launch.jobFolder)
    self.log = log
    self.ended = ended
  }

  /// Why the run was warned; nil until then.
  package var expiration: Reason? { state.withLock { $0.expiration } }

  /// Whether its end has been told.
  package var isOver: Bool { state.withLock { $0.isCompleted } }

  /// Has the warning told to `handler`, once, at once if it came already (LC4).
  package func onExpiration(_ handler: @escaping @Sendable () -> Void) {
    let isWarned = state.withLock { state in
      if state.expiration == nil { state.onExpiration = handler }
      return state.expiration != nil
    }
    if isWarned { handler() }
  }

  /// Gives the warning; a second one changes nothing.
  package func expire(_ reason: Reason) {
    let handler = state.withLock { state -> (@Sendable () -> Void)? in
      guard state.expiration == nil, !state.isCompleted else { return nil }
      state.expiration = reason
      defer { state.onExpiration = nil }
      return state.onExpiration
    }
    handler?()
  }

  /// Whether the run was warned while its handler can't be told to stop (LC6): what it still does goes
  /// with the process, where that can be killed.
  package var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

  /// Ends a warned run whose handler can't be told to stop: at once where its process can be killed
  /// (LC6). Elsewhere the run keeps its place until the handler is done (ST2, EM1), and has expired
  /// then, whatever the handler says.
  package func abandon() {
    state.withLock { state in
      if !state.isCompleted { state.isAbandoned = true }
    }
    if canBeKilled { complete(Self.endWithoutHandler) }
  }

  private static let endWithoutHandler = HandlerCompletion.failed(
    .neverCompleted, detail: "it has no expiration handler")

  /// Completes the run; only the first call counts (LC2).
  ///
  /// - Returns: whether this was the first call.
  @discardableResult
  package func complete(_ completion: HandlerCompletion) -> Bool {
    let (isFirst, isAbandoned) = state.withLock { state in
      defer {
        state.isCompleted = true
        state.onExpiration = nil
      }
      return (!state.isCompleted, state.isAbandoned)
    }
    guard isFirst else { return false }
    let completion = isAbandoned ? Self.endWithoutHandler : completion
    // Before the end is told: a crash in between repeats work, and skips none.
    if completion == .succeeded { try? checkpoint.remove() }
    ended(self, completion)
    return true
  }
}

extension HandlerRun {
  /// Starts the handler that is registered for the run; one that isn't there, or is for jobs of another
  /// kind, is the run's end.
  ///
  /// - Parameters:
  ///   - permissions: where the job's kind is looked up; none where it was looked at before.
  ///   - mayUseThread: whether the handler may begin on the calling thread.
  package func start(
    from registry: HandlerRegistry, permitting permissions: [HandlerPermission] = [],
    mayUseThread: Bool = false
  ) {
    state.withLock { $0.mayUseThread = mayUseThread }
    if let entry = registry.entry(named: launch.handler) {
      let kind = permissions.permission(for: launch.identifier)?.kind
      guard let mistake = kind.flatMap({ entry.mistake(handling: launch.identifier, of: $0) })
      else { return entry.start(self) }
      complete(.failed(.handlerMissing, detail: mistake))
      return
    }
    let known = registry.names.isEmpty ? "none" : registry.names.joined(separator: ", ")
    complete(
      .failed(
        .handlerMissing,
        detail: "No launch handler registered for task with identifier \(launch.handler); "
          + "registered: \(known)"))
  }

  /// Performs the run as a native handler: an async function that is cancelled at expiration.
  func perform<Parameters: Decodable & Sendable>(
    _ type: Parameters.Type,
    _ body: @escaping @Sendable (HandlerContext<Parameters>) async throws -> Void
  ) {
    let parameters: Parameters
    do throws(ParameterMistake) {
      parameters = try ParameterMistake.decode(type, from: launch.parameters)
    } catch {
      complete(.failed(.handlerThrew, detail: "the parameters don't fit: \(error.sentence)"))
      return
    }
    let context = HandlerContext(self, parameters: parameters)
    let work: @Sendable () async -> Void = {
      await withUnsafeCurrentTask { task in
        let cancellation = TaskCancellation(of: task)
        self.onExpiration(cancellation.cancel)
        defer { cancellation.end() }
        do {
          try await body(context)
          self.complete(.succeeded)
        } catch {
          self.complete(.failed(.handlerThrew, detail: Self.detail(of: error)))
        }
      }
    }
    let mayUseThread = state.withLock { $0.mayUseThread }
    if mayUseThread { Task.immediate(operation: work) } else { Task(operation: work) }
  }

  /// The error's own text in one line of a size for tables.
  private static func detail(of error: any Error) -> String {
    let line = "\(error)".split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count <= 500 ? line : "\(line.prefix(499))…"
  }
}
