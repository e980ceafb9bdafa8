import JobModel

/// How a simulated task ended.
public enum SimulatedEnd: Hashable, Sendable {
  /// `setTaskCompleted(success: true)`, after a warning too (ST4).
  case succeeded
  /// `setTaskCompleted(success: false)` without a warning.
  case failed
  /// It was warned and ended without success, or had no expiration handler (ST4, LC6).
  case expired
  /// It was released without `setTaskCompleted(success:)` (LC10).
  case neverCompleted

  init(_ completion: HandlerCompletion, isWarned: Bool) {
    switch completion {
    case .succeeded: self = .succeeded
    case .failed where isWarned: self = .expired
    case .failed(.neverCompleted, _): self = .neverCompleted
    case .failed: self = .failed
    }
  }
}
