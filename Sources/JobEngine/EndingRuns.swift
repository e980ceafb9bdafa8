import JobModel

extension Session {
  /// A run's processes are gone, or never were: its end is proposed, once (ST1, ST2).
  mutating func end(_ number: RunNumber, _ happening: Ending.Happening, at now: Now) {
    guard var run = runs[number] else { return }
    let expiration: Ending.Expiration?
    switch run.phase {
    case .launching, .running: expiration = happening.hasReachedLimit ? timeLimitReached : nil
    case .expiring(let warned, _), .overrunning(let warned), .killing(let warned):
      expiration = warned
    case .ending: return
    }
    let facts = Ending.Facts(
      request: run.request, retry: run.entry.job.retry, startedAt: run.startedAt.wall,
      endedAt: now.wall, expiration: expiration, happening: happening,
      isPermitted: jobs[run.jobIndex].entry != nil,
      jitter: happening.needsNoDelay ? 0 : jitter(of: run.request))
    var end = runEnd(number, Ending(of: facts), at: now)
    if case .processesEnded(let ending) = happening { end.ending = ending }
    end.progress = run.progress.fraction
    if run.isLeased { end.startedAt = run.startedAt.wall }
    settle(run, succeeded: end.outcome == .succeeded, at: now)
    // A store in trouble is tried again at its own pace (DU4).
    let isProposed = mayPropose
    run.phase = .ending(end, isProposed: isProposed)
    runs[number] = run
    if isProposed {
      propose(.end(end), for: .end(number))
      leave(run)
      prune(run.jobIndex, at: now)
    }
    runTimers.set(nil, for: number)
  }

  /// Its processes are gone: what is claimed already may have the place, anything else waits until
  /// the end is recorded (ST2), or is claimed together with it.
  private mutating func settle(_ run: LiveRun, succeeded: Bool, at now: Now) {
    settling[run.pool] += 1
    jobs[run.jobIndex].settleRun(
      took: now.monotonic - run.startedAt.monotonic, hasSucceeded: succeeded)
    if needsLeases(run.jobIndex) { jobs.noteChange(of: run.jobIndex) }
    rankReady(run.jobIndex)
  }

  /// What waits for the place of a run may be claimed in the transaction that records its end, after
  /// it: one that isn't recorded claims nothing (ST2).
  private mutating func leave(_ run: LiveRun) {
    leaving[run.pool] += 1
    jobs[run.jobIndex].leaving += 1
    if !jobs[run.jobIndex].beyondLimit.isEmpty { jobs.noteChange(of: run.jobIndex) }
  }

  /// Runs of a dead owner, taken over, with nothing left of them (DU2).
  mutating func adopt(_ records: [RunRecord], at now: Now) {
    for record in records {
      let definition = jobSet.definition(for: record.request.identifier)
      let facts = Ending.Facts(
        request: record.request, retry: definition?.retry ?? RetryPolicy(),
        startedAt: record.startedAt, endedAt: now.wall, expiration: nil, happening: .ownerLost,
        isPermitted: definition != nil, jitter: jitter(of: record.request))
      let end = runEnd(
        record.run, record.isLeased ? .ofLostLease(facts) : Ending(of: facts), at: now)
      let isProposed = mayPropose
      adoptedEnds[record.run] = AdoptedEnd(end: end, run: record, isProposed: isProposed)
      if isProposed { propose(.end(end), for: .end(record.run)) }
    }
  }

  private func runEnd(_ number: RunNumber, _ ending: Ending, at now: Now) -> RunEnd {
    RunEnd(
      run: number, owner: fence, endedAt: now.wall, outcome: ending.outcome,
      reason: ending.reason, detail: ending.detail, next: ending.next)
  }

  /// LC9: the same for an attempt wherever it is computed.
  private func jitter(of request: RequestRecord) -> Double {
    let instant = request.origin.nominalInstant ?? request.submittedAt
    let hash = StableHash.of([
      String(seed), request.identifier.text, request.key, String(instant.microseconds),
      String(request.attempt),
    ])
    return Double(hash >> 11) / Double(1 << 53)
  }

  /// The store has the end: only now is the place free (ST2).
  mutating func endRecorded(_ number: RunNumber, at now: Now) {
    if let adopted = adoptedEnds.removeValue(forKey: number) {
      report(
        .runEnded(
          Notice.EndedRun(
            adopted.end, of: adopted.run.request, took: now.wall - adopted.run.startedAt)))
      return
    }
    guard let run = runs[number], case .ending(let end, _) = run.phase else { return }
    forget(run)
    tally.count(end, of: run.request)
    report(
      .runEnded(
        Notice.EndedRun(end, of: run.request, took: now.monotonic - run.startedAt.monotonic)))
  }

  /// The run is somebody else's: what is left of it here is killed, and nothing is recorded (ST1).
  mutating func lose(_ number: RunNumber) {
    adoptedEnds[number] = nil
    guard let run = runs[number] else { return }
    switch run.phase {
    case .launching, .running, .expiring: actions.append(.kill(number))
    case .overrunning, .killing, .ending: break
    }
    forget(run)
  }

  private mutating func forget(_ run: LiveRun) {
    runs[run.number] = nil
    runTimers.set(nil, for: run.number)
    occupied[run.pool] -= 1
    if run.isEnding {
      settling[run.pool] -= 1
      jobs[run.jobIndex].settling -= 1
    } else {
      jobs[run.jobIndex].running -= 1
      jobs[run.jobIndex].isAtLimit = false
    }
    jobs.noteChange(of: run.jobIndex)
  }

  /// DU5: old rows go with an end and at the start of a long run, at most once a day for each job.
  mutating func prune(_ job: JobIndex, at now: Now) {
    guard let entry = jobs[job].entry,
      jobs[job].prunedAt.map({ now.monotonic >= $0 + .seconds(86_400) }) ?? true
    else { return }
    jobs[job].prunedAt = now.monotonic
    propose(
      .prune(jobs[job].identifier, endedBefore: now.wall - entry.job.keepHistory), for: .prune)
  }
}

extension Notice.EndedRun {
  init(_ end: RunEnd, of request: RequestRecord, took: Duration) {
    self.init(
      run: end.run, identifier: request.identifier, key: request.key, attempt: request.attempt,
      outcome: end.outcome, reason: end.reason, detail: end.detail, took: took,
      ending: end.ending, next: end.next)
  }
}
