import JobModel

extension Session {
  /// Puts a job among those that wait for a place, or takes it out.
  mutating func rankReady(_ job: JobIndex) {
    guard let front = jobs[job].frontOfReady else {
      scheduledReady.set(nil, for: job)
      continuedReady.set(nil, for: job)
      return
    }
    let rank = ReadyRank(
      front, in: jobs[job].entry, isImmediate: ownImmediate.contains(front.id))
    switch SlotPool(for: front.kind) {
    case .scheduled:
      scheduledReady.set(rank, for: job)
      continuedReady.set(nil, for: job)
    case .continued:
      continuedReady.set(rank, for: job)
      scheduledReady.set(nil, for: job)
    }
  }

  /// Gives the free places to those that wait, in the order of PL5.
  mutating func claimReady(at now: Now) {
    while let next = scheduledReady.first {
      if jobs[next.key].hasLeaseInFront {
        guard mayLaunchLeased else { break }
        launchLeased(of: next.key, at: now)
      } else {
        guard mayClaim(next.rank, from: .scheduled) else { break }
        claimFront(of: next.key, at: now)
      }
    }
    while let next = continuedReady.first, mayClaim(next.rank, from: .continued) {
      claimFront(of: next.key, at: now)
    }
  }

  private func mayClaim(_ rank: ReadyRank, from pool: SlotPool) -> Bool {
    rank.isImmediate || occupied[pool] - leaving[pool] < pool.capacity(in: jobSet.concurrency)
  }

  /// A place whose run is over is free for what is claimed already, while its end is being recorded;
  /// a store in trouble has it record nothing more (DU4).
  private var mayLaunchLeased: Bool {
    storeHealth == .working
      && occupied[.scheduled] - settling[.scheduled]
        < SlotPool.scheduled.capacity(in: jobSet.concurrency)
  }

  /// Proposes the claims of one job's first request, as far as its own limit lets it (PL5).
  private mutating func claimFront(of index: JobIndex, at now: Now) {
    guard let front = jobs[index].ready.first, let entry = jobs[index].entry else {
      jobs[index].ready = []
      rankReady(index)
      return
    }
    defer { rankReady(index) }
    let isInFlight = jobs[index].claimingKeys.contains(front.key)
    let own = ownRuns(of: index) - jobs[index].leaving + jobs[index].claimingKeys.count
    guard ownImmediate.contains(front.id) || (!isInFlight && own < entry.job.maxRunning) else {
      if isInFlight, own < entry.job.maxRunning {
        jobs[index].ready.removeFirst()
      } else {
        jobs[index].beyondLimit = jobs[index].ready
        jobs[index].ready = []
      }
      return
    }
    if front.isUnstartedInstant,
      let newer = instantPlanner(for: index, at: now)?.recordingAhead(
        of: front, pendingCount: jobs[index].snapshot.pendingCount)
    {
      jobs[index].ready = []
      propose(.recordInstants(newer), for: .record(index))
      return
    }
    jobs[index].ready.removeFirst()
    jobs[index].claimingKeys.insert(front.key)
    occupied[SlotPool(for: front.kind)] += 1
    if ownImmediate.contains(front.id) { reportPassedGates(of: front, index, at: now) }
    propose(
      .claim(
        Claim(
          request: front.id, identifier: front.identifier, owner: fence, startedAt: now.wall,
          survivesPowerCut: !jobs[index].mayRepeatStart(of: front))),
      for: .claim(index, front, entry))
  }

  /// `run --now` says which unmet gates it passes by (PL19).
  private mutating func reportPassedGates(of request: RequestRecord, _ job: JobIndex, at now: Now) {
    let unmet = gates(of: job, at: now).verdicts(for: request).filter { !$0.isMet }
    if !unmet.isEmpty { report(.gatesPassedBy(request.identifier, unmet)) }
  }

  /// Says what a job's front request waits for, once for each change of the gate.
  mutating func announce(_ index: JobIndex, at now: Now) {
    guard jobs[index].proposalsInFlight == 0,
      !jobs[index].snapshot.heads.isEmpty || jobs[index].announcedGate != nil
    else { return }
    guard let front = jobs[index].snapshot.heads.min(by: RequestRecord.startsEarlier),
      isSelected(index), !startsOnlyImmediate,
      let unmet = gates(of: index, at: now).firstUnmet(for: front)
    else {
      jobs[index].announcedGate = nil
      return
    }
    guard jobs[index].announcedGate != unmet.gate else { return }
    jobs[index].announcedGate = unmet.gate
    report(.waiting(front.identifier, key: front.key, unmet.verdict))
  }
}

extension ReadyRank {
  /// Continued tasks start in the order of their submission (CP6).
  init(_ request: RequestRecord, in entry: JobEntry?, isImmediate: Bool) {
    let isContinued = SlotPool(for: request.kind) == .continued
    self.init(
      isImmediate: isImmediate,
      qualityOfService: isContinued ? .utility : entry?.job.qualityOfService ?? .utility,
      due: isContinued ? request.submittedAt : request.notBefore, identifier: request.identifier)
  }
}
