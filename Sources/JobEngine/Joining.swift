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
    for snapshot in joining.snapshots { jobs[snapshot.identifier] = JobState(snapshot: snapshot) }
    takeInJobSet()
    for snapshot in joining.snapshots where snapshot.pendingCount > 0 {
      pendingJobs.insert(snapshot.identifier)
    }
    dirty = Set(jobs.keys)
    reportAssumptions()
    adopt(joining.adopted, at: now)
    startImmediately(at: now)
    if configuration.mode == .continuous {
      for snapshot in joining.snapshots where snapshot.record.lastOutcome != nil {
        prune(snapshot.identifier, at: now)
      }
    }
  }

  /// Resolves every job's entry again, and adds the jobs that the store doesn't know.
  private mutating func takeInJobSet() {
    for identifier in jobSet.jobs.keys where !identifier.isWildcard && jobs[identifier] == nil {
      jobs[identifier] = JobState(
        snapshot: JobSnapshot(identifier: identifier, record: JobRecord(identifier: identifier)))
    }
    for identifier in jobs.keys {
      resolveEntry(of: identifier)
    }
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

  mutating func resolveEntry(of identifier: JobIdentifier) {
    let entry = jobSet.definition(for: identifier).map { JobEntry($0) }
    jobs[identifier]?.entry = entry
    if entry?.job.conditions.minimumFreeSpace == nil {
      freeSpace.jobs.remove(identifier)
    } else {
      freeSpace.jobs.insert(identifier)
    }
    jobs[identifier]?.offset = StableOffset.delay(
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
    dirty.formUnion(jobs.keys)
    reportAssumptions()
    preemptExcess(at: now)
    report(.reloaded(jobs: newer.jobs.count))
  }

  /// Takes in an identifier as the store has it now; an older answer than the one held is dropped.
  mutating func adopt(_ snapshot: JobSnapshot, at now: Now) {
    let identifier = snapshot.identifier
    if let known = jobs[identifier]?.snapshot {
      guard snapshot.revision >= known.revision else { return }
      if snapshot.record.lastSuccess != known.record.lastSuccess {
        dirty.formUnion(followers[identifier] ?? [])
      }
      jobs[identifier]?.snapshot = snapshot
    } else {
      jobs[identifier] = JobState(snapshot: snapshot)
      resolveEntry(of: identifier)
    }
    if snapshot.pendingCount > 0 {
      pendingJobs.insert(identifier)
    } else {
      pendingJobs.remove(identifier)
    }
    dirty.insert(identifier)
    for record in snapshot.live where record.owner == fence {
      takeAnswer(from: record, at: now)
      guard let reason = record.stopRequested else { continue }
      cancelLeased(record.run, of: identifier, at: now)
      stopAsRequested(record.run, reason, at: now)
    }
    if snapshot.record.disabledSince != nil { reviewLeases(of: identifier, at: now) }
  }

  /// `run --now`: one request each that passes its gates by (PL19).
  private mutating func startImmediately(at now: Now) {
    for identifier in configuration.startNow {
      if let refusal = refusalOfImmediateStart(identifier) {
        tally.refusal = refusal
        return
      }
      addStateIfNew(for: identifier)
      guard let kind = jobs[identifier]?.entry?.job.kind else { continue }
      var submission = Submission(
        identifier: identifier, kind: kind, submittedAt: now.wall)
      submission.gateClass.isImmediate = true
      submission.gateClass.isDecided = true
      submission.isUserInitiated = true
      propose(.submit(submission), for: .startNow(identifier))
    }
  }

  /// A concrete member of a wildcard has no state before it is first asked for (RG7, CP8).
  private mutating func addStateIfNew(for identifier: JobIdentifier) {
    guard jobs[identifier] == nil else { return }
    jobs[identifier] = JobState(
      snapshot: JobSnapshot(identifier: identifier, record: JobRecord(identifier: identifier)))
    resolveEntry(of: identifier)
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
