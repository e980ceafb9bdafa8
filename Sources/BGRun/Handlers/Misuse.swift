import Synchronization

/// The one way in which a misuse of the API is told: one that can't be gone on from ends the program
/// (RG4), any other is logged.
package enum Misuse {
  /// Takes the sentence about a misuse.
  package typealias Listener = @Sendable (String) -> Void

  private struct Listeners {
    var fatal: Listener?
    var logged: Listener?
  }

  private static let listeners = Mutex(Listeners())

  /// Goes before the program's own trap, for what a task and its children misuse: tests that run
  /// side by side each have their own.
  @TaskLocal package static var trapOfTask: Listener?

  /// Ends the program with the sentence; where a test has replaced the trap it returns, and the
  /// misused call must then have no effect.
  package static func stop(_ sentence: String) {
    let trap = trapOfTask ?? listeners.withLock { $0.fatal }
    guard let trap else { fatalError(sentence) }
    trap(sentence)
  }

  /// Says in the log what the program does wrong; it goes on.
  ///
  /// - Parameter log: takes the line, in a program that isn't a test: the log of the run that does it.
  package static func warn(
    _ sentence: String,
    to log: @escaping @Sendable (_ line: String) -> Void = HandlerLogger.writeToStandardError
  ) {
    let listener = listeners.withLock { $0.logged }
    guard let listener else { return HandlerLogger(log).warning(sentence) }
    listener(sentence)
  }

  /// Has misuses told to others instead, in the whole program; nil brings the usual way back.
  package static func replace(fatal: Listener?, logged: Listener?) {
    listeners.withLock { $0 = Listeners(fatal: fatal, logged: logged) }
  }
}
