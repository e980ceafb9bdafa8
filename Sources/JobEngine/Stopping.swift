import JobModel

extension Session {
  /// Time beyond the longest grace in which a stop is over (PL14).
  static let stopSlack = Duration.seconds(2)

  mutating func stop(_ urgency: StopUrgency, at now: Now) {
    switch (phase, urgency) {
    case (.finished, _), (.overstaying, _), (.stopping(.immediate, _), _),
      (.stopping(.graceful, _), .graceful):
      return
    case (.working, _), (.stopping(.graceful, _), .immediate): break
    }
    if stoppedAt == nil { stoppedAt = now.monotonic }
    if phase.isWorking {
      settleDisabledInstants(at: now)
      releaseAllLeases(at: now)
    }
    let numbers = runs.keys.sorted()
    phase = .stopping(urgency, bound: now.monotonic + Self.stopSlack)
    for number in numbers {
      expire(number, Ending.Expiration(reason: .shutdown), at: now)
      if urgency == .immediate { kill(number, at: now) }
    }
    var time = numbers.map { remainingGrace(of: $0, at: now) }.max() ?? .zero
    // BG1: what is held has its pool, unless nobody wants to wait any more.
    let waits = urgency == .graceful && !held.isEmpty
    if waits { time = max(time, jobSet.lifecycle.backgroundTime) }
    let bound = now.monotonic + time + Self.stopSlack
    phase = .stopping(urgency, bound: bound)
    report(.stopping(urgency, running: runs.count))
    if waits { reportFinishing(until: bound, at: now) }
    actions.append(.extendStop(time + Self.stopSlack))
  }

  /// Somebody took this owner for dead: what runs here isn't ours any more (ST1).
  mutating func leaveToOthers(at now: Now) {
    tally.storeFailure = StoreFailure(
      cause: .other,
      sentence: "another process took over the runs of this one, which stops; start it again")
    stop(.immediate, at: now)
  }

  /// A handler in this process has not ended within its grace, and can't be made to (EM1).
  mutating func overrun(
    _ run: LiveRun, _ expiration: Ending.Expiration, _ policy: OverrunPolicy, at now: Now
  ) {
    runs[run.number]?.phase = .overrunning(expiration)
    updateTimer(of: run.number)
    // While it stops, the process is about to end by itself, and its other work may need the time.
    let endsProcess = policy == .exit && phase.isWorking
    report(
      .runOverran(run.overrun(expiration.reason), endsProcess: endsProcess))
    guard endsProcess else { return }
    tally.overranFirst = run.overrun(expiration.reason)
    stop(.graceful, at: now)
  }

  /// The handlers that run on, by number.
  var overruns: [Overrun] {
    runs.keys.sorted().compactMap { number in
      guard let run = runs[number], case .overrunning(let expiration) = run.phase else {
        return nil
      }
      return run.overrun(expiration.reason)
    }
  }

  private func remainingGrace(of number: RunNumber, at now: Now) -> Duration {
    guard case .expiring(_, let graceEnds) = runs[number]?.phase else { return .zero }
    return graceEnds - now.monotonic
  }

  /// Missed instants of jobs that are off become one row at a reload or stop (SB10).
  mutating func settleDisabledInstants(at now: Now) {
    guard mayPropose, !startsOnlyImmediate else { return }
    for job in jobs.sorted(Array(jobs.indices)) {
      guard jobs[job].isDisabled, jobs[job].proposalsInFlight == 0, isSelected(job),
        let recording = instantPlanner(for: job, at: now)?.recordingOfDisabled()
      else { continue }
      propose(.recordInstants(recording), for: .record(job))
    }
  }
}
