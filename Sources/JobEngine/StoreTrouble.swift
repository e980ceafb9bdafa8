import JobModel

/// A store that can't be written: running jobs finish, their ends are kept with their places, and
/// nothing new is claimed (DU4).
extension Session {
  private static let firstPause = Duration.milliseconds(250)
  private static let longestPause = Duration.seconds(30)
  /// `--once` and `--drain` give a store up after this (PL14).
  static let patienceWithStore = Duration.seconds(30)

  mutating func storeFailed(_ failure: StoreFailure, at now: Now) {
    switch storeHealth {
    case .working:
      report(.storeFailed(failure))
      storeHealth = .failing(
        failure, since: now.monotonic, retryAt: now.monotonic + Self.firstPause,
        pause: Self.firstPause)
    case .probing(_, let since, let pause):
      let longer = min(pause * 2, Self.longestPause)
      storeHealth = .failing(
        failure, since: since, retryAt: now.monotonic + longer, pause: longer)
    case .failing: break
    }
  }

  mutating func storeAnswered(at now: Now) {
    clock.recorded = max(clock.recorded ?? now.wall, now.wall)
    switch storeHealth {
    case .working: break
    case .failing, .probing:
      storeHealth = .working
      report(.storeRecovered)
      proposeKeptEnds()
    }
  }

  /// After the pause, one batch finds out: kept ends, and the jobs that are due.
  mutating func retryStore(at now: Now) {
    guard case .failing(let failure, let since, let retryAt, let pause) = storeHealth,
      retryAt <= now.monotonic
    else { return }
    storeHealth = .probing(failure, since: since, pause: pause)
    proposeKeptEnds()
  }

  /// Whether something new may be proposed; a store in trouble gets one batch at a time.
  var mayPropose: Bool {
    switch storeHealth {
    case .working: true
    case .failing: false
    case .probing: batches.isEmpty
    }
  }

  /// When the store is tried again.
  var storeRetry: MonotonicInstant? {
    switch storeHealth {
    case .working, .probing: nil
    case .failing(_, _, let retryAt, _): retryAt
    }
  }

  private mutating func proposeKeptEnds() {
    for number in runs.keys.sorted() {
      guard let run = runs[number], case .ending(let end, isProposed: false) = run.phase else {
        continue
      }
      runs[number]?.phase = .ending(end, isProposed: true)
      propose(.end(end), for: .end(number))
    }
    for number in adoptedEnds.keys.sorted() {
      guard let adopted = adoptedEnds[number], !adopted.isProposed else { continue }
      adoptedEnds[number]?.isProposed = true
      propose(.end(adopted.end), for: .end(number))
    }
  }

  /// The store didn't take this end: it is kept until it does.
  mutating func keepEnd(of number: RunNumber) {
    if let run = runs[number], case .ending(let end, _) = run.phase {
      runs[number]?.phase = .ending(end, isProposed: false)
    }
    adoptedEnds[number]?.isProposed = false
  }
}
