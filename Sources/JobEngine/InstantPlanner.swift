import JobModel

/// What becomes of one job's scheduled instants now; the only place that reads its anchor (PL7–PL9,
/// PL17).
///
/// Instants are lazy: while a request that hasn't started stands for them, later ones are neither
/// written nor woken for; they are counted when it can start.
struct InstantPlanner {
  let entry: JobEntry
  let identifier: JobIdentifier
  let policy: SchedulePolicy
  let record: JobRecord
  /// The stable offset of this machine (PL18).
  let offset: Duration
  let now: WallInstant
  /// Instants later than this don't count: `--once` and `--drain` never run future ones (PL20).
  let horizon: WallInstant
  let care: JobState.InstantCare

  enum Step {
    case record(InstantRecording)
    /// Nothing to write; look again when a window opens, or never by itself.
    case wait(until: WallInstant?)
  }

  /// What keeps due instants from being recorded as requests.
  enum Holder {
    case none
    /// An unstarted request stands for the schedule.
    case waiting(RequestRecord)
    /// A run with the schedule's key goes on.
    case predecessor
  }

  /// The next step.
  ///
  /// - Parameter firstUnmet: the condition that doesn't hold now, by name, where conditions decide.
  func step(holder: Holder, firstUnmet: Reason?) -> Step {
    if let correction = anchorCorrection() { return .record(correction) }
    guard let anchor = record.anchor else {
      return .record(recording(of: policy.schedule.firstDue(seenAt: now), firstUnmet))
    }
    switch holder {
    case .none: break
    // What holds the schedule back also says when to look again: its end, or a condition.
    case .waiting, .predecessor: guard decidesEach else { return .wait(until: nil) }
    }
    let due = dueInstants(after: anchor)
    guard due.newAnchor > anchor else { return .wait(until: opening(after: anchor)) }
    switch holder {
    case .none: return .record(recording(of: due, firstUnmet))
    case .waiting(let request): return decide(due, waiting: request, firstUnmet)
    case .predecessor: return decide(due, waiting: nil, firstUnmet)
    }
  }

  /// The newer instants that have come while `waiting` stood for them, when it can start: one
  /// recording that replaces it (latest) or stands beside it (all); nil when there are none.
  func recordingAhead(of waiting: RequestRecord, pendingCount: Int) -> InstantRecording? {
    guard anchorCorrection() == nil, let anchor = record.anchor else { return nil }
    let room = policy.catchUp == .all ? max(0, policy.catchUpLimit - pendingCount) : 1
    let due = dueInstants(after: anchor, limit: room)
    guard due.newAnchor > anchor else { return nil }
    var result = recording(of: due, nil)
    if policy.catchUp != .all { supersede(waiting, in: &result) }
    return result
  }

  /// All that has come since the anchor, as one row without a run (SB10).
  func recordingOfDisabled() -> InstantRecording? {
    guard anchorCorrection() == nil, let anchor = record.anchor else { return nil }
    let due = dueInstants(after: anchor)
    guard due.newAnchor > anchor else { return nil }
    return skipping(all: due, reason: .disabled, outcome: .skipped, detail: nil)
  }
}

extension InstantPlanner {
  /// Whether each due instant is decided when it comes, by the conditions, held back or not (PL9, SB7).
  var decidesEach: Bool { policy.catchUp == .none || entry.job.strategy != .queue }

  private var until: WallInstant { min(now, horizon) - offset }

  private func opening(after anchor: WallInstant) -> WallInstant? {
    policy.schedule.next(after: anchor).map { $0 + offset }.flatMap { $0 <= horizon ? $0 : nil }
  }

  private func dueInstants(after anchor: WallInstant, limit: Int? = nil) -> DueInstants {
    policy.schedule.due(
      anchor: anchor, now: until, catchUp: policy.catchUp, limit: limit ?? policy.catchUpLimit,
      onTime: Schedule.onTimeAllowance(tolerance: entry.job.tolerance))
  }

  /// A changed schedule and an anchor in the far future move the anchor and fire nothing (PL12,
  /// PL7).
  private func anchorCorrection() -> InstantRecording? {
    guard let anchor = record.anchor else { return nil }
    if record.scheduleFingerprint != entry.fingerprint {
      return empty(newAnchor: policy.schedule.rebasedAnchor(anchor, now: now))
    }
    return policy.schedule.correctedAnchor(anchor, now: now).map { empty(newAnchor: $0) }
  }

  private func empty(newAnchor: WallInstant) -> InstantRecording {
    InstantRecording(
      identifier: identifier, expectedAnchor: record.anchor, newAnchor: newAnchor,
      scheduleFingerprint: entry.fingerprint, recordedAt: now)
  }

  private func decide(
    _ due: DueInstants, waiting: RequestRecord?, _ unmet: Reason?
  ) -> Step {
    if policy.catchUp == .none {
      if unmet == nil, let waiting {
        var result = recording(of: due, nil)
        supersede(waiting, in: &result)
        return .record(result)
      }
      return .record(
        skipping(all: due, reason: .missed, outcome: .skipped, detail: unmet?.rawValue))
    }
    // Limits and predecessors always queue (SB7): met conditions leave the instant for later.
    guard unmet != nil else { return .wait(until: opening(after: until)) }
    return .record(recording(of: due, unmet))
  }

  /// The requests for the instants to run, and one row for the others.
  private func recording(of due: DueInstants, _ firstUnmet: Reason?) -> InstantRecording {
    let windows = due.instants.map {
      StartWindow(nominal: $0, offset: offset, startWithin: policy.startWithin)
    }
    let opensNow = windows.last.map { $0.opens <= now } ?? false
    if opensNow, decidesEach, let unmet = firstUnmet {
      switch entry.job.strategy {
      case .queue:
        return skipping(all: due, reason: .missed, outcome: .skipped, detail: unmet.rawValue)
      case .skip:
        return skipping(
          all: due, reason: .strategySkip, outcome: .skipped, detail: unmet.rawValue)
      case .fail:
        return skipping(all: due, reason: .strategyFail, outcome: .failed, detail: unmet.rawValue)
      }
    }
    if care != .together { return careful(due) }
    var result = empty(newAnchor: due.newAnchor)
    let inTime = zip(due.instants, windows).filter { !$0.1.isTooLate(at: now) }
    result.requests = inTime.map { submission(for: $0.0) }
    let tooLate = due.instants.count - inTime.count
    if due.skipped + tooLate > 0 {
      // An instant that would have run but for startWithin names that as the reason (PL17).
      var skipped = SkippedInstants(
        count: due.skipped + tooLate, reason: tooLate > 0 ? .tooLate : .missed,
        last: due.lastSkipped ?? due.newAnchor)
      if tooLate > 0 { skipped.last = due.instants[tooLate - 1] }
      result.skipped = skipped
    }
    return result
  }

  /// One instant at a time, the oldest first, since the store knows one of them already (PL11).
  private func careful(_ due: DueInstants) -> InstantRecording {
    guard due.skipped == 0, let oldest = due.instants.first else {
      var result = empty(newAnchor: due.lastSkipped ?? due.newAnchor)
      result.skipped = SkippedInstants(
        count: due.skipped, reason: .missed, last: result.newAnchor)
      return result
    }
    var result = empty(newAnchor: oldest)
    if care == .oneByOne { result.requests = [submission(for: oldest)] }
    return result
  }

  private func skipping(
    all due: DueInstants, reason: Reason, outcome: Outcome, detail: String?
  ) -> InstantRecording {
    var result = empty(newAnchor: due.newAnchor)
    var skipped = SkippedInstants(
      count: due.skipped + due.instants.count, reason: reason, last: due.newAnchor)
    skipped.outcome = outcome
    skipped.detail = detail
    result.skipped = skipped
    return result
  }

  /// `waiting` is one more of the instants that will not run.
  private func supersede(_ waiting: RequestRecord, in recording: inout InstantRecording) {
    recording.superseded = [waiting.id]
    var skipped =
      recording.skipped
      ?? SkippedInstants(count: 0, reason: .missed, last: waiting.scheduledAt)
    skipped.count += 1
    recording.skipped = skipped
  }

  private func submission(for nominal: WallInstant) -> Submission {
    var submission = Submission(identifier: identifier, kind: entry.job.kind, submittedAt: now)
    submission.origin = .instant(nominal)
    submission.notBefore = nominal + offset
    submission.floor = offset > .zero ? .randomDelay : nil
    return submission
  }
}
