import Synchronization

/// The one way in which a misuse of the API that can't be gone on from ends the program (RG4).
package enum Misuse {
  private static let trap = Mutex<@Sendable (String) -> Void>({ fatalError($0) })

  /// Ends the program with the sentence; where a test has replaced the trap it returns, and the
  /// misused call must then have no effect.
  static func stop(_ sentence: String) {
    let trap = trap.withLock { $0 }
    trap(sentence)
  }

  /// Has misuses told to `replacement` instead; nil brings the ending back.
  package static func replaceTrap(_ replacement: (@Sendable (String) -> Void)?) {
    trap.withLock { $0 = replacement ?? { fatalError($0) } }
  }
}
