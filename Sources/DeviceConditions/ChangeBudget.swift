internal import JobModel

/// How often changes may be told: a few at once, then at an even pace, so that a condition that
/// flips a thousand times a second costs bounded work.
///
/// What is held back isn't lost: it is told, in its last state, when `next` comes.
struct ChangeBudget {
  private let burst: Int64
  private let pace: Duration
  /// When everything that was told is paid for.
  private var paidOff: MonotonicInstant?

  /// - Parameters:
  ///   - burst: how many changes may be told at once.
  ///   - pace: how long each of them is paid off.
  init(burst: Int64 = 8, pace: Duration = .milliseconds(100)) {
    self.burst = burst
    self.pace = pace
  }

  /// Spends one change if there is budget for it; otherwise says when there will be.
  mutating func spend(at now: MonotonicInstant) -> MonotonicInstant? {
    let debtFrom = max(paidOff ?? now, now)
    let next = debtFrom + pace
    let limit = now + pace * Int(burst)
    guard next <= limit else {
      return MonotonicInstant(nanoseconds: now.nanoseconds + next.nanoseconds - limit.nanoseconds)
    }
    paidOff = next
    return nil
  }
}
