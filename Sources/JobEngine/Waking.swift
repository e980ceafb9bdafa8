import JobModel

extension Session {
  /// Asks for the next wake-up, if it has changed or the last one is used up: the earliest end of a
  /// window, and the next deadline (PL6).
  mutating func planWake(isForced: Bool, at now: Now) {
    let plan = WakePlan(
      monotonic: earliest([
        runTimers.first?.rank, mayPropose ? leaseTimers.first?.rank : nil, endsHeldUntil,
        phase.isWorking ? holds.first?.rank : nil, storeRetry,
        stopBound, clockPatience, freeSpace.givenUpAt, storePatience(after: now.monotonic),
      ]),
      wall: phase.isWorking && mayPropose ? windowEnds.first?.rank : nil)
    guard isForced || plan != lastPlan else { return }
    lastPlan = plan
    actions.append(.wake(plan))
  }

  private var stopBound: MonotonicInstant? {
    switch phase {
    case .working, .overstaying, .finished: nil
    case .stopping(_, let bound): bound
    }
  }

  /// When a clock in doubt has been steady for long enough (PL15).
  private var clockPatience: MonotonicInstant? {
    switch clock.state {
    case .trusted, .resetting: nil
    case .doubtful: mayPropose ? clock.steadySince + ClockTrust.patience : nil
    }
  }

  /// When `--once` and `--drain` give a broken store up; after that it is the end of the last run
  /// that they wait for.
  private func storePatience(after now: MonotonicInstant) -> MonotonicInstant? {
    guard configuration.mode != .continuous else { return nil }
    switch storeHealth {
    case .working: return nil
    case .failing(_, let since, _, _), .probing(_, let since, _):
      let end = since + Self.patienceWithStore
      return end > now ? end : nil
    }
  }
}
