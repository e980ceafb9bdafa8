import JobModel

extension Session {
  init(
    jobSet: JobSet, configuration: EngineConfiguration, joining: Event.Joining, at now: Now
  ) {
    self.jobSet = jobSet
    self.configuration = configuration
    fence = joining.owner.fence
    seed = joining.seed
    joinedAt = now
    device = joining.device
    clock = ClockTrust(
      recorded: joining.lastRecordedTime, earliestPlausible: configuration.builtAt,
      steadySince: now.monotonic)
    for snapshot in joining.snapshots {
      let job = jobs.add(JobState(snapshot: snapshot))
      if snapshot.pendingCount > 0 { pendingJobs.insert(job) }
    }
    takeInJobSet()
    jobs.noteChanges(of: jobs.indices)
    reportAssumptions()
    adopt(joining.adopted, at: now)
    startImmediately(at: now)
    if configuration.mode == .continuous {
      for job in jobs.indices where jobs[job].snapshot.record.lastOutcome != nil {
        prune(job, at: now)
      }
    }
  }

  /// Resolves every job's entry again, and adds the jobs that the store doesn't know.
  private mutating func takeInJobSet() {
    for identifier in jobSet.jobs.keys.sorted()
    where !identifier.isWildcard && jobs.index(of: identifier) == nil {
      addUnstored(identifier)
    }
    for job in jobs.indices { resolveEntry(of: job) }
    followers = [:]
    for job in jobSet.jobs.values {
      for predecessor in job.afterSuccessOf {
        followers[predecessor, default: []].append(job.identifier)
      }
    }
    assumptions.required = jobSet.jobs.values.reduce(into: []) {
      $0.formUnion($1.conditions.required)
    }
  }

  @discardableResult
  private mutating func addUnstored(_ identifier: JobIdentifier) -> JobIndex {
    jobs.add(
      JobState(
        snapshot: JobSnapshot(identifier: identifier, record: JobRecord(identifier: identifier))))
  }

  private mutating func resolveEntry(of job: JobIndex) {
    let identifier = jobs[job].identifier
    let entry = jobSet.definition(for: identifier).map { JobEntry($0) }
    jobs[job].entry = entry
    if entry?.job.conditions.minimumFreeSpace == nil {
      freeSpace.jobs.remove(job)
    } else {
      freeSpace.jobs.insert(job)
    }
    jobs[job].offset = StableOffset.delay(
      machine: configuration.machineID, identifier: identifier.text,
      upTo: entry?.job.schedule?.randomDelay ?? .zero)
  }

  /// A newer manifest: nothing fires by itself, running runs keep their definition (PL12).
  mutating func reload(_ newer: JobSet, at now: Now) {
    guard phase.isWorking else { return }
    settleDisabledInstants(at: now)
    releaseAllLeases(at: now)
    jobSet = newer
    takeInJobSet()
    jobs.noteChanges(of: jobs.indices)
    reportAssumptions()
    preemptExcess(at: now)
    report(.reloaded(jobs: newer.jobs.count))
  }

  /// Takes in an identifier as the store has it now; an older answer than the one held is dropped.
  mutating func adopt(_ snapshot: JobSnapshot, at now: Now) {
    let job: JobIndex
    if let index = jobs.index(of: snapshot.identifier) {
      job = index
      let known = jobs[job].known.snapshot
      guard snapshot.revision >= known.revision else { return }
      if snapshot.record.lastSuccess != known.record.lastSuccess {
        let followers = followers[snapshot.identifier] ?? []
        jobs.noteChanges(of: followers.compactMap { jobs.index(of: $0) })
      }
      jobs[job].known = KnownJob(snapshot)
    } else {
      job = jobs.add(JobState(snapshot: snapshot))
      resolveEntry(of: job)
    }
    if snapshot.pendingCount > 0 {
      pendingJobs.insert(job)
    } else {
      pendingJobs.remove(job)
    }
    jobs.noteChange(of: job)
    for index in snapshot.live.indices where snapshot.live[index].owner == fence {
      let run = snapshot.live[index].run
      takeAnswer(of: run, stalledSince: snapshot.live[index].stalledSince, at: now)
      guard let reason = snapshot.live[index].stopRequested else { continue }
      cancelLeased(run, of: job, at: now)
      stopAsRequested(run, reason, at: now)
    }
    if snapshot.record.disabledSince != nil { reviewLeases(of: job, at: now) }
  }

  /// `run --now`: one request each that passes its gates by (PL19).
  private mutating func startImmediately(at now: Now) {
    for identifier in configuration.startNow {
      if let refusal = refusalOfImmediateStart(identifier) {
        tally.refusal = refusal
        return
      }
      let job = indexOrNew(for: identifier)
      guard let kind = jobs[job].entry?.job.kind else { continue }
      var submission = Submission(
        identifier: identifier, kind: kind, submittedAt: now.wall)
      submission.gateClass.isImmediate = true
      submission.gateClass.isDecided = true
      submission.isUserInitiated = true
      propose(.submit(submission), for: .startNow(job))
    }
  }

  /// A concrete member of a wildcard has no state before it is first asked for (RG7, CP8).
  private mutating func indexOrNew(for identifier: JobIdentifier) -> JobIndex {
    if let known = jobs.index(of: identifier) { return known }
    let job = addUnstored(identifier)
    resolveEntry(of: job)
    return job
  }

  private func refusalOfImmediateStart(_ identifier: JobIdentifier) -> String? {
    guard let definition = jobSet.definition(for: identifier), !identifier.isWildcard else {
      return SubmissionRules.notPermittedSentence(identifier, in: jobSet)
    }
    let state = jobs[identifier]
    if !definition.isEnabled {
      return "\(identifier) is switched off in the manifest (enabled: false), so it was not started"
    }
    if state?.snapshot.record.disabledSince != nil {
      return "\(identifier) is switched off: bgrun enable \(identifier) switches it on"
    }
    if let twin = state?.snapshot.live.first(where: { $0.request.key.isEmpty }) {
      return "\(identifier) is running already, as run \(twin.run)"
    }
    return nil
  }
}
