/// Names one background task that was begun; never used again in a process (BG1).
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
  /// The number; 0 is none.
  public let rawValue: Int

  /// The identifier of a number that `beginBackgroundTask` gave.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// No task: what `beginBackgroundTask` returns when it refuses (BG6, BG8).
  public static let invalid = Self(rawValue: 0)
}
