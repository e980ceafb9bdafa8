import BGRun
import JobModel
import LinuxSystem
import Synchronization
import TaskHosts

/// Launches a program's background tasks in the process of a test, as
/// `_simulateLaunchForTaskWithIdentifier` does in Apple's debugger, and catches what would end the
/// program.
///
/// `withBackgroundTasks` gives one. Until it ends, `BGTaskScheduler.shared` belongs to this test: no
/// handler is registered at its start, nothing is pending, and requests go to a store of its own.
public final class BackgroundTaskSimulator: Sendable {
  private struct State {
    var misuses: [String] = []
    var warnings: [String] = []
    var runs: Int64 = 0
  }

  private let state = Mutex(State())
  private let folder: String
  private let desk: SimulatedDesk

  init(manifest: String, folder: String) {
    self.folder = folder
    desk = SimulatedDesk(StoreDesk(manifests: [manifest], state: "\(folder)/state"))
  }

  /// What would have ended the program, in order: registering late or twice, submitting without a
  /// handler (RG2, RG4, SB3).
  public var misuses: [String] { state.withLock { $0.misuses } }

  /// What the log would have said, in order: registering what isn't permitted, completing twice or
  /// never, lacking an expiration handler, progress that never changes.
  public var warnings: [String] { state.withLock { $0.warnings } }

  /// Whether the program counts as in the foreground, where continued tasks may be submitted (CP1);
  /// at first it does.
  public var isInForeground: Bool {
    get { desk.isInForeground }
    set { desk.isInForeground = newValue }
  }

  /// From now on registering is too late, as after an app's launch (RG2).
  public func finishLaunching() {
    HandlerRegistry.shared.finishLaunching(permitting: desk.permissions)
  }

  /// Launches a task as the system does, in this process; its pending request, if there is one, has
  /// then started.
  ///
  /// - Throws: `SimulationError` when it isn't permitted or no launch handler is registered for it.
  public func launch(_ identifier: String) async throws -> SimulatedTask {
    guard let permission = desk.permissions.permission(for: identifier) else {
      let near = SpellingDistance.nearest(
        to: identifier, among: desk.permissions.map(\.identifier))
      throw SimulationError(
        "\(identifier) is not permitted in this test" + (near.map { "; did you mean \($0)?" } ?? "")
      )
    }
    guard let entry = HandlerRegistry.shared.entry(named: permission.handlerName(for: identifier))
    else {
      throw SimulationError("No launch handler registered for task with identifier \(identifier)")
    }
    let request = try await take(identifier)
    let number = state.withLock { state in
      state.runs += 1
      return state.runs
    }
    let task = SimulatedTask(
      WorkerLaunch(
        run: RunNumber(number), identifier: identifier, key: request?.key ?? "",
        handler: identifier, parameters: request?.parameters ?? "{}", attempt: 1,
        scheduledFor: WallInstant(microseconds: Clocks.now().wall / 1000), title: request?.title,
        subtitle: request?.subtitle, jobFolder: "\(folder)/jobs/\(identifier)",
        manifestFolder: folder))
    task.start(entry)
    return task
  }

  func watchMisuse() {
    Misuse.replace(
      fatal: { [weak self] sentence in self?.state.withLock { $0.misuses.append(sentence) } },
      logged: { [weak self] sentence in self?.state.withLock { $0.warnings.append(sentence) } })
    Scheduling.use(desk)
    HandlerRegistry.shared.reset()
  }

  /// - Throws: `SimulationError` when the manifest can't be read or has errors.
  func requireManifest() async throws(SimulationError) {
    if case .failed(let sentence) = await answer(.pending) { throw SimulationError(sentence) }
  }

  static func reset() {
    HandlerRegistry.shared.reset()
    Scheduling.use(nil)
    Misuse.replace(fatal: nil, logged: nil)
  }

  /// Takes the identifier's pending request out of the store.
  private func take(_ identifier: String) async throws -> SubmissionRequest? {
    guard case .pending(let requests) = await answer(.pending) else { return nil }
    guard let request = requests.first(where: { $0.identifier.text == identifier }) else {
      return nil
    }
    _ = await answer(.cancel(request.identifier))
    return request
  }

  private func answer(_ question: SchedulerQuestion) async -> SchedulerAnswer {
    await withCheckedContinuation { continuation in
      desk.ask(question) { continuation.resume(returning: $0) }
    }
  }
}
