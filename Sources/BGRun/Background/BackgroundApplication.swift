/// This program, for work that must be finished when nothing executes in it any more: UIKit's
/// interface to background tasks, with the same names and types (lifecycle §6).
///
/// A worker is in the foreground while it executes a run, and in the background between runs, after a
/// stop, and while the machine is about to sleep. There it is suspended or ended at once, unless it
/// has begun a background task. All tasks share one pool of time, the manifest's
/// `lifecycle.backgroundTime`.
///
/// ```swift
/// let task = BackgroundApplication.shared.beginBackgroundTask(withName: "upload") {
///   upload.cancel()
/// }
/// upload.start { BackgroundApplication.shared.endBackgroundTask(task) }
/// ```
public final class BackgroundApplication: Sendable {
  /// The program that this code is in.
  public static let shared = BackgroundApplication()

  /// What watches over the tasks of this program.
  package let keeping: BackgroundKeeping

  package init(keeping: BackgroundKeeping = BackgroundKeeping()) {
    self.keeping = keeping
  }

  /// Keeps the program from being suspended or ended until the task is ended (BG1); from any thread.
  ///
  /// - Parameters:
  ///   - name: what reports call it; nil takes the caller's function (BG7).
  ///   - expirationHandler: called on the main thread about a second before the time is over. It has
  ///     to end the task: a program with a task still begun is killed (BG5).
  /// - Returns: what to end it with; `.invalid` when it is refused, because the time has run out (BG6)
  ///   or because a thousand are open (BG8).
  public func beginBackgroundTask(
    withName name: String?,
    expirationHandler: (@MainActor @Sendable () -> Void)? = nil,
    fileID: String = #fileID, line: UInt = #line, function: String = #function
  ) -> UIBackgroundTaskIdentifier {
    keeping.begin(
      name ?? function, at: CallSite(file: fileID, line: line),
      handler: expirationHandler.map { .onMain($0) })
  }

  /// Does the same under the name of the caller's function (BG7).
  ///
  /// - Parameter expirationHandler: called on the main thread about a second before the time is over.
  /// - Returns: what to end it with; `.invalid` when it is refused.
  public func beginBackgroundTask(
    expirationHandler: (@MainActor @Sendable () -> Void)? = nil,
    fileID: String = #fileID, line: UInt = #line, function: String = #function
  ) -> UIBackgroundTaskIdentifier {
    beginBackgroundTask(
      withName: nil, expirationHandler: expirationHandler, fileID: fileID, line: line,
      function: function)
  }

  /// Ends a task, from any thread. An identifier that is unknown or was ended before is logged, and
  /// nothing else happens (BG6).
  public func endBackgroundTask(
    _ identifier: UIBackgroundTaskIdentifier, fileID: String = #fileID, line: UInt = #line
  ) {
    keeping.end(identifier, at: CallSite(file: fileID, line: line))
  }

  /// Seconds that are left in the background; in the foreground `Double.greatestFiniteMagnitude`
  /// (BG4).
  public var backgroundTimeRemaining: Double { keeping.timeRemaining }

  /// Runs `block` on a thread of its own while the program is kept from being suspended or ended.
  ///
  /// It is called with false when time is granted, and a second time, while the first call may still
  /// go on, with true when the time runs out: the first call should then return soon. Where no time
  /// can be granted it is called once, with true (BG10).
  ///
  /// - Parameter reason: what reports call the activity.
  public func performExpiringActivity(
    withReason reason: String, using block: @escaping @Sendable (Bool) -> Void,
    fileID: String = #fileID, line: UInt = #line
  ) {
    keeping.performActivity(reason, at: CallSite(file: fileID, line: line), block)
  }
}

/// UIKit's exact signatures, for protocols and function values; a call takes those that know their
/// place.
extension BackgroundApplication {
  /// Keeps the program from being suspended or ended until the task is ended (BG1).
  ///
  /// - Parameters:
  ///   - name: what reports call it.
  ///   - expirationHandler: called on the main thread about a second before the time is over.
  /// - Returns: what to end it with; `.invalid` when it is refused.
  @_disfavoredOverload
  public func beginBackgroundTask(
    withName name: String?, expirationHandler: (@MainActor @Sendable () -> Void)?
  ) -> UIBackgroundTaskIdentifier {
    beginBackgroundTask(
      withName: name, expirationHandler: expirationHandler, fileID: CallSite.unknown.file,
      line: CallSite.unknown.line, function: "unnamed")
  }

  /// Does the same without a name.
  ///
  /// - Parameter expirationHandler: called on the main thread about a second before the time is over.
  /// - Returns: what to end it with; `.invalid` when it is refused.
  @_disfavoredOverload
  public func beginBackgroundTask(
    expirationHandler: (@MainActor @Sendable () -> Void)?
  ) -> UIBackgroundTaskIdentifier {
    let begin = beginBackgroundTask(withName:expirationHandler:)
    return begin(nil, expirationHandler)
  }

  /// Ends a task, from any thread.
  @_disfavoredOverload
  public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
    keeping.end(identifier, at: .unknown)
  }

  /// Runs `block` on a thread of its own while the program is kept from being suspended or ended
  /// (BG10).
  @_disfavoredOverload
  public func performExpiringActivity(
    withReason reason: String, using block: @escaping @Sendable (Bool) -> Void
  ) {
    keeping.performActivity(reason, at: .unknown, block)
  }
}
