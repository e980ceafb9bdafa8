import JobModel

extension Session {
  /// Puts a job among those that wait for a place, or takes it out.
  mutating func rankReady(_ identifier: JobIdentifier) {
    guard let job = jobs[identifier], let front = job.frontOfReady else {
      scheduledReady.set(nil, for: identifier)
      continuedReady.set(nil, for: identifier)
      return
    }
    let rank = ReadyRank(
      front, in: job.entry?.job, isImmediate: ownImmediate.contains(front.id))
    switch SlotPool(for: front.kind) {
    case .scheduled:
      scheduledReady.set(rank, for: identifier)
      continuedReady.set(nil, for: identifier)
    case .continued:
      continuedReady.set(rank, for: identifier)
      scheduledReady.set(nil, for: identifier)
    }
  }

  /// Gives the free places to those that wait, in the order of PL5.
  mutating func claimReady(at now: Now) {
    while let next = scheduledReady.first() {
      if jobs[next.key]?.hasLeaseInFront ?? false {
        guard mayLaunchLeased else { break }
        launchLeased(of: next.key, at: now)
      } else {
        guard mayClaim(next.rank, from: .scheduled) else { break }
        claimFront(of: next.key, at: now)
      }
    }
    while let next = continuedReady.first(), mayClaim(next.rank, from: .continued) {
      claimFront(of: next.key, at: now)
    }
  }

  private func mayClaim(_ rank: ReadyRank, from pool: SlotPool) -> Bool {
    rank.isImmediate || (occupied[pool] ?? 0) < pool.capacity(in: jobSet.concurrency)
  }

  /// A place whose run is over is free for what is claimed already, while its end is being recorded;
  /// a store in trouble has it record nothing more (DU4).
  private var mayLaunchLeased: Bool {
    storeHealth == .working
      && (occupied[.scheduled] ?? 0) - (settling[.scheduled] ?? 0)
        < SlotPool.scheduled.capacity(in: jobSet.concurrency)
  }

  /// Proposes the claims of one job's first request, as far as its own limit lets it (PL5).
  private mutating func claimFront(of identifier: JobIdentifier, at now: Now) {
    guard let job = jobs[identifier], let front = job.ready.first,
      let entry = job.entry
    else {
      jobs[identifier]?.ready = []
      rankReady(identifier)
      return
    }
    defer { rankReady(identifier) }
    let isInFlight = job.claimingKeys.contains(front.key)
    let own = ownRuns(of: job) + job.claimingKeys.count
    guard ownImmediate.contains(front.id) || (!isInFlight && own < entry.job.maxRunning) else {
      if isInFlight, own < entry.job.maxRunning {
        jobs[identifier]?.ready.removeFirst()
      } else {
        jobs[identifier]?.beyondLimit = job.ready
        jobs[identifier]?.ready = []
      }
      return
    }
    if front.isUnstartedInstant,
      let newer = instantPlanner(for: job, at: now)?.recordingAhead(
        of: front, pendingCount: job.snapshot.pendingCount)
    {
      jobs[identifier]?.ready = []
      propose(.recordInstants(newer), for: .record(identifier))
      return
    }
    jobs[identifier]?.ready.removeFirst()
    jobs[identifier]?.claimingKeys.insert(front.key)
    occupied[SlotPool(for: front.kind), default: 0] += 1
    if ownImmediate.contains(front.id) { reportPassedGates(of: front, job, at: now) }
    propose(
      .claim(
        Claim(
          request: front.id, identifier: identifier, owner: fence, startedAt: now.wall,
          survivesPowerCut: !job.mayRepeatStart(of: front))),
      for: .claim(front, entry))
  }

  /// `run --now` says which unmet gates it passes by (PL19).
  private mutating func reportPassedGates(of request: RequestRecord, _ job: JobState, at now: Now) {
    let unmet = gates(of: job, at: now).verdicts(for: request).filter { !$0.isMet }
    if !unmet.isEmpty { report(.gatesPassedBy(job.identifier, unmet)) }
  }

  /// Says what a job's front request waits for, once for each change of the gate.
  mutating func announce(_ identifier: JobIdentifier, at now: Now) {
    guard let job = jobs[identifier], job.proposalsInFlight == 0,
      !job.snapshot.heads.isEmpty || job.announcedGate != nil
    else { return }
    guard let front = job.snapshot.heads.min(by: RequestRecord.startsEarlier),
      isSelected(job), !startsOnlyImmediate,
      let unmet = gates(of: job, at: now).firstUnmet(for: front)
    else {
      jobs[identifier]?.announcedGate = nil
      return
    }
    guard job.announcedGate != unmet.gate else { return }
    jobs[identifier]?.announcedGate = unmet.gate
    report(.waiting(identifier, key: front.key, unmet.verdict))
  }
}

extension ReadyRank {
  /// Continued tasks start in the order of their submission (CP6).
  init(_ request: RequestRecord, in definition: JobDefinition?, isImmediate: Bool) {
    let isContinued = SlotPool(for: request.kind) == .continued
    self.init(
      isImmediate: isImmediate,
      qualityOfService: isContinued ? .utility : definition?.qualityOfService ?? .utility,
      due: isContinued ? request.submittedAt : request.notBefore, identifier: request.identifier)
  }
}
