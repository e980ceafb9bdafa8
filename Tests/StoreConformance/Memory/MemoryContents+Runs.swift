import JobModel

/// Transitions of runs and of what the store remembers of a job.
extension MemoryContents {
  mutating func claim(_ claim: Claim, in change: inout MemoryChange) -> Verdict {
    change.touched.insert(claim.identifier)
    guard let owner = owners[claim.owner]?.owner else { return .refused(.ownerDeparted) }
    guard var request = pendingRequest(claim.request, in: &change) else {
      return .refused(.notPending)
    }
    let identifier = request.identifier
    if let running = jobs[identifier]!.live.first(where: { $0.request.key == request.key }) {
      return .refused(.keyIsRunning(running.run))
    }
    dequeue(request)
    identifiersByRequest[request.id] = identifier
    request.starts += 1
    let run = RunRecord(
      run: nextRun(), request: request, owner: owner.fence, startedAt: claim.startedAt,
      isLeased: claim.isLease)
    jobs[identifier]!.live.append(run)
    jobs[identifier]!.hosts[run.run] = owner.host
    if !claim.isLease { jobs[identifier]!.record.lastStart = claim.startedAt }
    identifiersByRun[run.run] = identifier
    change.note(identifier)
    return .applied(.claimed(run.run))
  }

  mutating func begin(_ start: RunStart, in change: inout MemoryChange) -> Verdict {
    switch liveRun(start.run, of: start.owner, in: &change) {
    case .failure(let refusal): return .refused(refusal.refusal)
    case .success(let live):
      guard live.isLeased else { return .refused(.hasStarted) }
      jobs[live.request.identifier]!.record.lastStart = start.startedAt
      return updateLive(start.run, of: start.owner, in: &change) { run in
        run.startedAt = start.startedAt
        run.isLeased = false
      }
    }
  }

  mutating func release(_ release: RunRelease, in change: inout MemoryChange) -> Verdict {
    let live: RunRecord
    switch liveRun(release.run, of: release.owner, in: &change) {
    case .success(let run): live = run
    case .failure(let refusal): return .refused(refusal.refusal)
    }
    guard live.isLeased else { return .refused(.hasStarted) }
    var request = live.request
    request.starts -= 1
    let identifier = request.identifier
    jobs[identifier]!.live.removeAll { $0.run == release.run }
    jobs[identifier]!.hosts[release.run] = nil
    identifiersByRun[release.run] = nil
    let isSubmittedAgain =
      request.isUnstartedSubmission
      && jobs[identifier]!.pending.contains { $0.isUnstartedSubmission && $0.key == request.key }
    if isSubmittedAgain {
      closeWithoutRun(request, outcome: .cancelled, reason: .replaced, at: release.at)
    } else {
      jobs[identifier]!.enqueue(request)
    }
    change.note(identifier)
    return .applied(.done)
  }

  mutating func beginExpiring(_ warning: BeginExpiring, in change: inout MemoryChange) -> Verdict {
    updateLive(warning.run, of: warning.owner, in: &change) { $0.expiring = warning.expiring }
  }

  mutating func end(_ end: RunEnd, in change: inout MemoryChange) -> Verdict {
    let live: RunRecord
    switch liveRun(end.run, of: end.owner, in: &change) {
    case .success(let run): live = run
    case .failure(let refusal): return .refused(refusal.refusal)
    }
    let identifier = live.request.identifier
    jobs[identifier]!.live.removeAll { $0.run == end.run }
    let host = jobs[identifier]!.hosts.removeValue(forKey: end.run)!
    if live.isLeased, let start = end.startedAt { jobs[identifier]!.record.lastStart = start }
    append(HistoryRow(sequence: nextSequence(), ending: live, with: end, host: host))
    switch end.next {
    case .final:
      identifiersByRequest[live.request.id] = nil
      if end.outcome == .succeeded { jobs[identifier]!.record.lastSuccess = end.endedAt }
    case .again(let notBefore, let floor, let attempt, let returnsInRow):
      var request = live.request
      request.notBefore = notBefore
      request.floor = floor
      request.attempt = attempt
      request.returnsInRow = returnsInRow
      request.gateClass.isDecided = true
      jobs[identifier]!.enqueue(request)
    }
    change.note(identifier)
    return .applied(.done)
  }

  mutating func requestStop(_ stop: StopRequest, in change: inout MemoryChange) -> Verdict {
    if stop.reason == .progressStalled,
      case .success(let live) = liveRun(stop.run, of: nil, in: &change), live.stalledSince == nil
    {
      return .refused(.notStalled)
    }
    return updateLive(stop.run, of: nil, in: &change) { $0.stopRequested = stop.reason }
  }

  mutating func stall(_ recording: StallRecording, in change: inout MemoryChange) -> Verdict {
    updateLive(recording.run, of: recording.owner, in: &change) {
      $0.stalledSince = recording.since
    }
  }

  mutating func goOnWaiting(for run: RunNumber, in change: inout MemoryChange) -> Verdict {
    updateLive(run, of: nil, in: &change) { $0.stalledSince = nil }
  }

  mutating func progress(_ recording: ProgressRecording, in change: inout MemoryChange) -> Verdict {
    updateLive(recording.run, of: recording.owner, in: &change) { run in
      run.progress = recording.fraction ?? run.progress
      run.title = recording.title ?? run.title
      run.subtitle = recording.subtitle ?? run.subtitle
    }
  }

  mutating func switchJob(_ jobSwitch: JobSwitch, in change: inout MemoryChange) -> Verdict {
    let identifier = jobSwitch.identifier
    change.touched.insert(identifier)
    let isEnabled = jobs[identifier]?.record.disabledSince == nil
    if isEnabled != jobSwitch.isEnabled {
      ensureJob(identifier)
      jobs[identifier]!.record.disabledSince = jobSwitch.isEnabled ? nil : jobSwitch.at
      change.note(identifier)
    }
    return .applied(.done)
  }

  mutating func prune(
    _ identifier: JobIdentifier, endedBefore limit: WallInstant, in change: inout MemoryChange
  ) -> Verdict {
    change.touched.insert(identifier)
    guard let pruned = jobs[identifier]?.prune(endedBefore: limit), !pruned.isEmpty else {
      return .applied(.pruned([]))
    }
    let runs = pruned.compactMap(\.run).sorted()
    for run in runs { identifiersByRun[run] = nil }
    change.note(identifier)
    return .applied(.pruned(runs))
  }

  /// A refusal as an error, so that a check can return either.
  private struct Refused: Error {
    var refusal: Verdict.Refusal
  }

  /// The live run, when it is `owner`'s; nil is any owner's.
  private func liveRun(
    _ run: RunNumber, of owner: Fence?, in change: inout MemoryChange
  ) -> Result<RunRecord, Refused> {
    let identifier = identifiersByRun[run]
    if let identifier { change.touched.insert(identifier) }
    if let owner, owners[owner] == nil { return .failure(Refused(refusal: .ownerDeparted)) }
    guard let live = identifier.flatMap({ jobs[$0]!.live.first { $0.run == run } }) else {
      return .failure(Refused(refusal: .notRunning))
    }
    guard owner == nil || live.owner == owner else {
      return .failure(Refused(refusal: .staleFence))
    }
    return .success(live)
  }

  private mutating func updateLive(
    _ run: RunNumber, of owner: Fence?, in change: inout MemoryChange,
    _ update: (inout RunRecord) -> Void
  ) -> Verdict {
    switch liveRun(run, of: owner, in: &change) {
    case .failure(let refusal): return .refused(refusal.refusal)
    case .success(let live):
      let identifier = live.request.identifier
      let index = jobs[identifier]!.live.firstIndex { $0.run == run }!
      update(&jobs[identifier]!.live[index])
      change.note(identifier)
      return .applied(.done)
    }
  }
}
