import LinuxSystem

/// Runs a manifest's jobs inside of a long-running program, such as a server: handlers in the
/// program's own process, commands as programs (EM1).
///
/// ```swift
/// HandlerRegistry.shared.handle("com.example.shop.compact") { context in … }
/// let background = BackgroundService(manifests: ["/etc/shop/jobs"])
/// try await background.run()
/// ```
///
/// With swift-service-lifecycle, a service type wraps it:
///
/// ```swift
/// struct Jobs: Service {
///   let background: BackgroundService
///   func run() async throws { try await cancelWhenGracefulShutdown { try await background.run() } }
/// }
/// ```
///
/// The manifest and the store are those that `bgrun` uses from outside, so `bgrun status`, `why`,
/// `history`, `logs`, `submit` and `cancel` work while the program runs. Other runners may share the
/// store (DU3). What a process can't do to itself isn't offered: nothing is killed (`OverrunPolicy`)
/// or suspended. A cancelled `run()` sends the program to the background and waits for its background
/// tasks, as long as they have time (BG3).
public struct BackgroundService: Sendable {
  /// What becomes of a handler that hasn't ended when its grace is over. It is a part of this process,
  /// so it can't be killed.
  public enum OverrunPolicy: Sendable {
    /// The run stays `expiring` and keeps its place until the handler ends; its real end is recorded.
    case hold
    /// Everything else is stopped in good order, within its longest grace and 2 s, and the process ends
    /// with `overrunExitStatus`, by `_exit`: what the program hasn't written out is lost. The run is
    /// interrupted and runs again (DU2). While `run()` is already stopping, this does as `hold` does.
    case exit
  }

  /// The exit status of a process that `OverrunPolicy.exit` ended: EX_TEMPFAIL, by which service
  /// managers are told to start it again.
  public static let overrunExitStatus: Int32 = 75

  let manifests: [String]
  let state: String?
  let handlers: HandlerRegistry
  let onOverrun: OverrunPolicy
  let onEvent: @Sendable (Event) -> Void
  private let desk: StoreDesk

  /// Makes a service; from now on `TaskScheduler.shared` works with its manifests and store, unless
  /// this process is a worker of `bgrun run`. Of several services it is the one that was made last;
  /// each has its own `scheduler`.
  ///
  /// - Parameters:
  ///   - manifests: files and folders, together one job set; without any, what `BGRUN_MANIFEST` names,
  ///     else the first that exists of the usual places. Relative paths count from the folder that is
  ///     the current one now.
  ///   - state: the store's folder; nil is `BGRUN_STATE`, else `STATE_DIRECTORY`, else the usual place
  ///     for the manifest's `app`.
  ///   - handlers: where the handlers are registered, all of them before `run()` or the first
  ///     submission (RG2).
  ///   - onOverrun: what to do about a handler that ignores its expiration.
  ///   - onEvent: takes what happens, in order, on the service's own thread, which waits for its return.
  ///     Nil writes warnings and errors to the standard error, and nothing else.
  public init(
    manifests: [String] = [], state: String? = nil, handlers: HandlerRegistry = .shared,
    onOverrun: OverrunPolicy = .hold, onEvent: (@Sendable (Event) -> Void)? = nil
  ) {
    let manifests = manifests.map(Self.absolute)
    let state = state.map(Self.absolute)
    self.manifests = manifests
    self.state = state
    self.handlers = handlers
    self.onOverrun = onOverrun
    self.onEvent = onEvent ?? StandardErrorEvents().write
    desk = StoreDesk(manifests: manifests, state: state, registry: handlers)
    Scheduling.adopt(desk)
  }

  /// A server may change its folder later. One that can't be told now is told of when it is used.
  private static func absolute(_ path: String) -> String {
    guard !path.isEmpty, !path.hasPrefix("/"), let folder = try? Files.workingFolder() else {
      return path
    }
    return "\(folder)/\(path)"
  }

  /// Takes requests for this service's store, also before and after `run()`.
  public var scheduler: TaskScheduler { TaskScheduler(desk: desk) }

  /// Runs jobs until the task is cancelled: then what runs is warned and has its grace, and the call
  /// returns, after the longest grace and 2 s at most; with background tasks begun, after their time
  /// and 2 s (PL14).
  ///
  /// The work is done on threads of its own; the task only waits. No signal is taken, nothing is said
  /// to a service manager, and no variable, folder or mask of the process is changed. A manifest that
  /// is saved is loaded again; one that can't be used is told of by an event, and what is in force
  /// stays (PL12). A handler that still runs when the call returns keeps its place, and its end is
  /// recorded, for as long as the process lives.
  ///
  /// - Throws: `Failure`, before anything runs: no manifest or a wrong one, a handler that is missing
  ///   (RG6), a store that can't be used; later only when the store was taken away.
  public func run() async throws(Failure) {
    let run = ServiceRun(self)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        run.start { continuation.resume(returning: $0) }
      }
    } onCancel: {
      run.stop()
    }
    try result.get()
  }
}
