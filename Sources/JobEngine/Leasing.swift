import JobModel

/// Short runs of Swift handlers are claimed ahead, many in one transaction, and launched one at a
/// time as places become free. What runs is bounded as ever (PL5); what is only claimed is given
/// back as soon as it can't be expected to start.
extension Session {
  /// Claims requests ahead for a job whose places are all taken, when fewer than half of those that
  /// it may have ahead are left.
  mutating func leaseAhead(_ index: JobIndex, at now: Now) {
    guard jobs[index].running > 0, needsLeases(index) else { return }
    let job = jobs[index]
    let candidates = job.ready + job.beyondLimit
    guard let entry = job.entry, !candidates.isEmpty else { return }
    var keys = job.claimingKeys
    var room = mostLeases(of: index, entry) - job.leases.count - job.leaseClaims
    for request in candidates where room > 0 && request.isLeasable {
      guard keys.insert(request.key).inserted else { continue }
      room -= 1
      jobs[index].leaseClaims += 1
      let claim = Claim(
        request: request.id, identifier: job.identifier, owner: fence, startedAt: now.wall,
        isLease: true, survivesPowerCut: !job.mayRepeatStart(of: request))
      propose(.claim(claim), for: .lease(index, request, entry))
    }
    // The verdict brings the job back with its next heads.
    guard jobs[index].leaseClaims != job.leaseClaims else { return }
    jobs[index].ready = []
    rankReady(index)
  }

  private func mostLeases(of job: JobIndex, _ entry: JobEntry) -> Int {
    jobs[job].pace.ahead
      * min(entry.job.maxRunning, SlotPool.scheduled.capacity(in: jobSet.concurrency))
  }

  /// Whether fewer than half of the runs that a job may have ahead are left.
  func needsLeases(_ job: JobIndex) -> Bool {
    guard let entry = jobs[job].entry, entry.isLeasable else { return false }
    return jobs[job].leases.count + jobs[job].leaseClaims <= mostLeases(of: job, entry) / 2
  }

  /// A claim ahead was applied; one that came too late goes back at once.
  mutating func leased(_ run: LeasedRun, at now: Now) {
    let job = run.jobIndex
    guard phase.isWorking, mayStart(run, at: now) else { return release(run, at: now) }
    let isFirst = jobs[job].leases.isEmpty
    jobs[job].leases.append(run, at: now.monotonic)
    // The ones behind it change neither what starts next nor when it has to have started.
    guard isFirst else { return }
    leasingJobs.insert(job)
    leaseTimers.set(now.monotonic + RunPace.patience, for: job)
    rankReady(job)
  }

  /// Whether nothing has come between the claim of a run and its start.
  private func mayStart(_ run: LeasedRun, at now: Now) -> Bool {
    guard let entry = jobs[run.jobIndex].entry, entry === run.entry, !jobs[run.jobIndex].isDisabled
    else { return false }
    guard entry.hasConditions || run.request.gateClass.hasConditions else { return true }
    return entry.job.conditions.tightened(by: run.request.gateClass)
      .verdicts(in: device, at: now.wall).allSatisfy(\.isMet)
  }

  /// Starts the first of a job's leased runs, if its own limit lets it (PL5).
  mutating func launchLeased(of job: JobIndex, at now: Now) {
    defer { rankReady(job) }
    guard let entry = jobs[job].entry else { return }
    guard jobs[job].running + jobs[job].claimingKeys.count < entry.job.maxRunning else {
      // The end of one of its runs ranks it again.
      jobs[job].isAtLimit = true
      return
    }
    guard let run = jobs[job].leases.takeFirst(at: now.monotonic) else { return }
    if jobs[job].leases.isEmpty { forgetLeases(of: job) }
    occupied[SlotPool(for: run.request.kind)] += 1
    begin(run.number, of: job, run.request, run.entry, isLeased: true, at: now)
  }

  /// Gives back every leased run of a job.
  mutating func releaseLeases(of job: JobIndex, at now: Now) {
    for run in jobs[job].leases.takeAll() { release(run, at: now) }
    forgetLeases(of: job)
    rankReady(job)
  }

  mutating func releaseAllLeases(at now: Now) {
    for job in jobs.sorted(leasingJobs) { releaseLeases(of: job, at: now) }
  }

  /// Gives back the runs whose conditions have gone, or whose job was switched off (SB10).
  mutating func reviewLeases(of job: JobIndex, at now: Now) {
    let leases = jobs[job].leases
    guard !leases.isEmpty, !leases.all.allSatisfy({ mayStart($0, at: now) }) else { return }
    releaseLeases(of: job, at: now)
  }

  /// A person cancels a run before it has started: it ends as any request that waits.
  mutating func cancelLeased(_ number: RunNumber, of job: JobIndex, at now: Now) {
    guard let run = jobs[job].leases.take(number) else { return }
    if jobs[job].leases.isEmpty { forgetLeases(of: job) }
    release(run, at: now)
    propose(
      .close(
        RequestClosing(
          request: run.request.id, outcome: .cancelled, reason: .userCancelled, at: now.wall)),
      for: .close(job))
    rankReady(job)
  }

  private mutating func release(_ run: LeasedRun, at now: Now) {
    propose(
      .release(RunRelease(run: run.number, owner: fence, at: now.wall)), for: .release(run))
  }

  /// The store couldn't take a run back: it is kept until it starts or the store can (DU4).
  mutating func keepLease(_ run: LeasedRun, at now: Now) {
    let job = run.jobIndex
    jobs[job].leases.append(run, at: now.monotonic)
    leasingJobs.insert(job)
    leaseTimers.set(now.monotonic + RunPace.patience, for: job)
    rankReady(job)
  }

  private mutating func forgetLeases(of job: JobIndex) {
    leasingJobs.remove(job)
    leaseTimers.set(nil, for: job)
  }

  /// What hasn't moved for too long goes back: somebody else may have a place for it.
  mutating func passLeaseTimers(at now: Now) {
    guard mayPropose else { return }
    while let job = leaseTimers.popFirst(upTo: now.monotonic) {
      guard !jobs[job].leases.isEmpty else { continue }
      let end = jobs[job].leases.movedAt + RunPace.patience
      if phase.isWorking, end > now.monotonic {
        leaseTimers.set(end, for: job)
      } else {
        jobs[job].pace.forget()
        releaseLeases(of: job, at: now)
      }
    }
  }

  /// Whether what is proposed may wait for company: nothing starts sooner by recording the ends of a
  /// job that still has leased runs, and many of them are one transaction. A crash meanwhile repeats
  /// those runs, as it repeats one whose end is on its way (DU1).
  mutating func holdsEnds(at now: Now) -> Bool {
    guard phase.isWorking else { return false }
    for index in heldEnds..<proposals.count {
      guard case .end(let number) = proposals[index].purpose, let run = runs[number], run.isLeased,
        !jobs[run.jobIndex].leases.isEmpty
      else { return false }
    }
    heldEnds = proposals.count
    let end = endsHeldUntil ?? now.monotonic + RunPace.company
    endsHeldUntil = end
    return end > now.monotonic
  }

  /// Tells the store that a leased run has started, when it takes so long that others could ask.
  mutating func recordStart(of number: RunNumber) {
    guard let run = runs[number], run.startDueAt != nil else { return }
    runs[number]?.startDueAt = nil
    guard mayPropose else { return }
    propose(
      .begin(RunStart(run: number, owner: fence, startedAt: run.startedAt.wall)),
      for: .begin(number))
  }
}
