import JobModel

extension Session {
  /// How long after the end of its pool a program that holds background tasks is killed, if it doesn't
  /// do that itself; within the slack of the stop's bound.
  private static let heldSlack = Duration.milliseconds(1500)

  /// Programs have begun their first background task, or ended their last one (BG1).
  mutating func absorb(_ held: HeldWork, at now: Now) {
    let changed = held.runs.symmetricDifference(self.held.runs)
    let isMore = held.programs > self.held.programs
    self.held = held
    if held.isEmpty { hasToldOfHeld = false }
    for number in changed.sorted() {
      if !held.runs.contains(number) { renewGrace(of: number, at: now) }
      updateTimer(of: number)
    }
    if isMore { extendStop(at: now) }
  }

  /// A handler ends its last task a moment before it returns: it isn't killed in between.
  private mutating func renewGrace(of number: RunNumber, at now: Now) {
    guard let run = runs[number], case .expiring(let expiration, let graceEnds) = run.phase,
      expiration.reason == .shutdown, let backgroundTimeEnds
    else { return }
    let renewed = min(now.monotonic + run.job.expirationGrace, backgroundTimeEnds)
    runs[number]?.phase = .expiring(expiration, graceEnds: max(graceEnds, renewed))
  }

  /// Work that is begun during a graceful stop has its time too (PL14).
  private mutating func extendStop(at now: Now) {
    guard case .stopping(.graceful, let bound) = phase, let stoppedAt else { return }
    let needed = stoppedAt + jobSet.lifecycle.backgroundTime + Self.stopSlack
    guard needed > bound else { return }
    phase = .stopping(.graceful, bound: needed)
    actions.append(.extendStop(needed - now.monotonic))
    reportFinishing(until: needed, at: now)
  }

  /// `--once` and `--drain` say once that they wait for work in the background alone.
  mutating func reportWaitForHeld(at now: Now) {
    guard configuration.mode != .continuous, !held.isEmpty, !hasToldOfHeld, runs.isEmpty,
      batches.isEmpty, proposals.isEmpty
    else { return }
    hasToldOfHeld = true
    let bound = now.monotonic + jobSet.lifecycle.backgroundTime + Self.stopSlack
    reportFinishing(until: bound, at: now)
  }

  mutating func reportFinishing(until bound: MonotonicInstant, at now: Now) {
    guard !held.isEmpty else { return }
    report(.finishingInBackground(programs: held.programs, atMost: bound - now.monotonic))
  }

  /// When a run that was warned is killed (LC5). One that a stop interrupts, and whose program holds
  /// background tasks, keeps the time that these have; any other reason doesn't wait for them.
  func forcedEnd(of run: LiveRun) -> MonotonicInstant? {
    guard case .expiring(let expiration, let graceEnds) = run.phase else { return nil }
    guard expiration.reason == .shutdown, held.runs.contains(run.number), let backgroundTimeEnds
    else {
      return graceEnds
    }
    return max(graceEnds, backgroundTimeEnds)
  }

  /// When a stop's time for background tasks is over.
  private var backgroundTimeEnds: MonotonicInstant? {
    stoppedAt.map { $0 + jobSet.lifecycle.backgroundTime + Self.heldSlack }
  }

  func nextTimer(of run: LiveRun) -> MonotonicInstant? {
    guard let end = forcedEnd(of: run) else { return run.nextTimer }
    return earliest([end, run.progress.dueAt])
  }
}
