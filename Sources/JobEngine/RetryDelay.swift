import JobModel

extension RetryPolicy {
  /// The wait between the end of attempt `attempt` and the start of the next one (LC9).
  ///
  /// - Parameters:
  ///   - attempt: the attempt that has ended, from 1.
  ///   - fraction: 0…1 from a stable hash; it spreads the delay over [½, 1] when jitter is on.
  func delay(after attempt: Int, fraction: Double) -> Duration {
    let full: Duration
    switch backoff {
    case .constant: full = initialDelay
    case .linear: full = initialDelay * min(attempt, 100)
    case .exponential:
      var doubled = initialDelay
      for _ in 1..<max(attempt, 1) {
        // Past the cap nothing changes any more, and doubling on would overflow.
        guard doubled > .zero && doubled < maxDelay else { break }
        doubled *= 2
      }
      full = doubled
    }
    let capped = min(full, maxDelay)
    guard hasJitter else { return capped }
    let half = capped.microseconds / 2
    return .microseconds(half + Int64(Double(half) * fraction))
  }
}
