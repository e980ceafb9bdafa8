import JobModel

extension Session {
  /// Takes in the store's answer to one batch.
  mutating func absorb(_ commit: CommitReport, for number: BatchNumber, at now: Now) {
    guard let batch = batches.removeValue(forKey: number) else { return }
    var failure: StoreFailure?
    var refused: [Proposal] = []
    for (proposal, verdict) in zip(batch, commit.verdicts) {
      if let job = proposal.purpose.plannedJob {
        jobs[job].proposalsInFlight -= 1
        jobs.noteChange(of: job)
      }
      switch verdict {
      case .applied(let applied): take(applied, for: proposal, at: now)
      case .refused(let refusal):
        refused.append(proposal)
        take(refusal, for: proposal)
      case .failed(let cause):
        failure = cause
        giveUp(proposal, at: now)
      }
    }
    for snapshot in commit.snapshots { adopt(snapshot, at: now) }
    if let failure {
      storeFailed(failure, at: now)
    } else {
      storeAnswered(at: now)
    }
    for proposal in refused { holdIfUnexplained(proposal, at: now) }
    if hasDeparted { leaveToOthers(at: now) }
  }

  private mutating func take(_ applied: Verdict.Applied, for proposal: Proposal, at now: Now) {
    switch proposal.purpose {
    case .record(let job):
      jobs[job].instantCare = .together
      if case .recordInstants(let recording) = proposal.transition { report(recording) }
    case .startNow:
      if case .submitted(let request, _) = applied { ownImmediate.insert(request) }
    case .stall:
      if case .stall(let recording) = proposal.transition { stallRecorded(recording) }
    case .decide, .begin, .release, .expiring, .progress, .prune: break
    case .lease(let job, let request, let entry):
      jobs[job].leaseClaims -= 1
      if case .claimed(let run) = applied {
        leased(LeasedRun(number: run, jobIndex: job, request: request, entry: entry), at: now)
      }
    case .follow(let job, let newest): jobs[job].settledPredecessors = newest
    case .claim(let job, let request, let entry):
      jobs[job].claimingKeys.remove(request.key)
      if case .claimed(let run) = applied { begin(run, of: job, request, entry, at: now) }
    case .close(let job):
      if case .close(let closing) = proposal.transition {
        report(
          .rowWithoutRun(
            jobs[job].identifier, closing.outcome, closing.reason, count: 1, detail: closing.detail)
        )
      }
    case .end(let run): endRecorded(run, at: now)
    case .resetRecordedTime:
      if case .resetRecordedTime(let instant) = proposal.transition {
        clockWasReset(to: instant, at: now)
      }
    }
  }

  private mutating func report(_ recording: InstantRecording) {
    if let old = recording.expectedAnchor, recording.newAnchor < old {
      report(.anchorReset(recording.identifier, from: old, to: recording.newAnchor))
    }
    if let skipped = recording.skipped {
      report(
        .rowWithoutRun(
          recording.identifier, skipped.outcome, skipped.reason, count: skipped.count,
          detail: skipped.detail))
    }
  }

  private mutating func take(_ refusal: Verdict.Refusal, for proposal: Proposal) {
    if refusal == .ownerDeparted { hasDeparted = true }
    switch proposal.purpose {
    case .claim(let job, let request, _):
      jobs[job].claimingKeys.remove(request.key)
      occupied[SlotPool(for: request.kind)] -= 1
      if ownImmediate.contains(request.id) {
        tally.refusal = "\(request.identifier) was not started: it is running already"
      }
    case .record(let job):
      guard refusal == .instantExists else { return }
      jobs[job].instantCare = jobs[job].instantCare == .together ? .oneByOne : .past
    case .follow(let job, let newest):
      // Somebody else submitted it for this success: once is enough (PL16).
      jobs[job].settledPredecessors = newest
    case .lease(let job, _, _): jobs[job].leaseClaims -= 1
    case .end(let run), .expiring(let run), .stall(let run), .begin(let run):
      if refusal.meansLost { lose(run) }
    case .startNow(let job):
      tally.refusal = "\(jobs[job].identifier) was not started: the store refused the request"
    case .close, .decide, .release, .progress, .prune: break
    case .resetRecordedTime: clock.state = .doubtful
    }
  }

  /// Undoes what was counted on for a proposal that the store couldn't take (DU4).
  private mutating func giveUp(_ proposal: Proposal, at now: Now) {
    switch proposal.purpose {
    case .claim(let job, let request, _):
      jobs[job].claimingKeys.remove(request.key)
      occupied[SlotPool(for: request.kind)] -= 1
    case .lease(let job, _, _): jobs[job].leaseClaims -= 1
    case .release(let run): keepLease(run, at: now)
    case .end(let run): keepEnd(of: run)
    case .stall:
      if case .stall(let recording) = proposal.transition { stallNotRecorded(recording, at: now) }
    case .resetRecordedTime: clock.state = .doubtful
    case .startNow(let job):
      tally.refusal = "\(jobs[job].identifier) was not started: the store could not be written"
    case .record, .follow, .close, .decide, .begin, .expiring, .progress, .prune: break
    }
  }

  /// A refusal that left the job as it was would be proposed again at once: it waits a second.
  private mutating func holdIfUnexplained(_ proposal: Proposal, at now: Now) {
    guard let index = proposal.purpose.plannedJob else { return }
    let known = jobs[index].known.snapshot
    let isUnexplained: Bool
    switch proposal.purpose {
    case .claim(_, let request, _), .lease(_, let request, _):
      isUnexplained = known.heads.contains { $0.id == request.id }
    case .close: isUnexplained = true
    case .record:
      if case .recordInstants(let recording) = proposal.transition {
        isUnexplained =
          known.record.anchor == recording.expectedAnchor && jobs[index].instantCare == .together
      } else {
        isUnexplained = false
      }
    case .decide, .startNow, .follow, .release, .begin, .expiring, .stall, .end, .progress, .prune,
      .resetRecordedTime:
      isUnexplained = false
    }
    guard isUnexplained else { return }
    let until = now.monotonic + .seconds(1)
    jobs[index].heldUntil = until
    holds.set(until, for: index)
  }
}

extension Verdict.Refusal {
  /// Whether the run is somebody else's now, or over (ST1).
  var meansLost: Bool {
    switch self {
    case .notRunning, .staleFence, .ownerDeparted: true
    case .notPending, .notStalled, .keyIsRunning, .hasStarted, .anchorMoved, .instantExists,
      .tooManyPending:
      false
    }
  }
}
