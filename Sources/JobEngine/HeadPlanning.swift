import JobModel

extension Session {
  /// Sorts a job's heads into those that wait, those that end without a run and those that only
  /// limits hold back.
  mutating func planHeads(of index: JobIndex, _ attention: inout Attention, at now: Now) {
    let heads = jobs[index].snapshot.heads
    guard !heads.isEmpty else { return }
    let evaluation = gates(of: index, at: now)
    var ready: [RequestRecord] = []
    for head in heads {
      if ownImmediate.contains(head.id) {
        // Conditions are passed by (PL19), but not before they are known.
        if evaluation.twin(of: head) == nil, !evaluation.awaitsReading(for: head) {
          ready.append(head)
        }
        continue
      }
      if head.gateClass.isImmediate, isLeftToItsRunner(head, &attention, at: now) { continue }
      guard !startsOnlyImmediate else { continue }
      if let closing = tooLate(head, of: index, &attention, at: now) {
        propose(.close(closing), for: .close(index))
        continue
      }
      let unmet = evaluation.firstUnmet(for: head)
      switch unmet {
      case nil: ready.append(head)
      case .floor(_, _, let until, _):
        attention.add(until, tolerance: jobs[index].entry?.job.tolerance ?? .zero)
      case .condition(let verdict):
        if let closing = closing(head, of: index, unmet: verdict.condition, at: now) {
          propose(.close(closing), for: .close(index))
        } else if let opensAt = verdict.opensAt, opensAt > now.wall {
          attention.add(opensAt)
        }
      case .maxRunning, .concurrency:
        if let closing = closingOnFullMachine(head, of: index, at: now) {
          propose(.close(closing), for: .close(index))
        } else {
          ready.append(head)
        }
      case .permission, .switchedOff, .clock, .window, .unread, .twin:
        break
      }
    }
    // A close changes what the store has: the verdict brings the job back.
    guard jobs[index].proposalsInFlight == 0 else { return }
    if ready.count > 1 { ready.sort(by: RequestRecord.startsEarlier) }
    jobs[index].ready = ready
  }

  /// The `--now` of another runner is that runner's to start; if it died before, the request becomes
  /// one like others.
  private func isLeftToItsRunner(
    _ head: RequestRecord, _ attention: inout Attention, at now: Now
  ) -> Bool {
    let patience = head.submittedAt + .seconds(10)
    guard head.submittedAt <= now.wall, now.wall < patience else { return false }
    attention.add(patience)
    return true
  }

  /// PL17: an instant that can't start in time any more is closed; one that still can is looked
  /// at again when its time is over.
  private func tooLate(
    _ head: RequestRecord, of job: JobIndex, _ attention: inout Attention, at now: Now
  ) -> RequestClosing? {
    guard head.isUnstartedInstant, let policy = jobs[job].entry?.job.schedule,
      let closes = StartWindow(
        nominal: head.scheduledAt, offset: jobs[job].offset, startWithin: policy.startWithin
      ).closes
    else { return nil }
    if now.wall > closes {
      return RequestClosing(
        request: head.id, outcome: .skipped, reason: .tooLate, at: now.wall)
    }
    attention.add(closes + .microseconds(1))
    return nil
  }

  /// SB7: `skip` and `fail` end an undecided request whose condition is unmet when it is due.
  private func closing(
    _ head: RequestRecord, of job: JobIndex, unmet: Reason, at now: Now
  ) -> RequestClosing? {
    guard isUndecided(head) else { return nil }
    switch strategy(of: head, job) {
    case .queue: return nil
    case .skip:
      return RequestClosing(
        request: head.id, outcome: .skipped, reason: .strategySkip, detail: unmet.rawValue,
        at: now.wall)
    case .fail:
      return RequestClosing(
        request: head.id, outcome: .failed, reason: .strategyFail, detail: unmet.rawValue,
        at: now.wall)
    }
  }

  /// SB7: limits always queue, except for continued processing, whose `fail` a full machine meets.
  private func closingOnFullMachine(
    _ head: RequestRecord, of job: JobIndex, at now: Now
  ) -> RequestClosing? {
    guard head.kind == .continuedProcessing, isUndecided(head), strategy(of: head, job) == .fail
    else { return nil }
    return RequestClosing(
      request: head.id, outcome: .failed, reason: .strategyFail,
      detail: Reason.concurrency.rawValue, at: now.wall)
  }

  /// Due requests whose conditions hold are decided, although a limit keeps them (SB7).
  mutating func decideHeld(_ index: JobIndex, at now: Now) {
    guard jobs[index].proposalsInFlight == 0, !jobs[index].snapshot.heads.isEmpty,
      !startsOnlyImmediate, isSelected(index)
    else { return }
    for head in jobs[index].snapshot.heads
    where isUndecided(head) && strategy(of: head, index) != .queue {
      switch gates(of: index, at: now).firstUnmet(for: head) {
      case .maxRunning, .concurrency:
        propose(.decide(head.id), for: .decide(index))
      case nil, .permission, .switchedOff, .floor, .clock, .window, .condition, .unread, .twin:
        break
      }
    }
  }

  private func isUndecided(_ head: RequestRecord) -> Bool {
    head.starts == 0 && !head.gateClass.isDecided
  }

  private func strategy(of head: RequestRecord, _ job: JobIndex) -> SubmissionStrategy {
    head.gateClass.strategy ?? jobs[job].entry?.job.strategy ?? .queue
  }

  /// The gates of a job as they are now.
  func gates(of job: JobIndex, at now: Now) -> GateEvaluation {
    let entry = jobs[job].entry
    let known = jobs[job].known
    let pool = SlotPool(for: entry?.job.kind ?? .processing)
    var evaluation = GateEvaluation(
      entry: entry, disabledSince: known.snapshot.record.disabledSince, device: device,
      live: known.snapshot.live, liveKeys: known.liveKeys,
      ownRuns: ownRuns(of: job), poolRuns: occupied[pool],
      poolLimit: pool.capacity(in: jobSet.concurrency), now: now.wall)
    evaluation.isClockTrusted = clock.isTrusted
    evaluation.readPaths = freeSpace.read
    return evaluation
  }

  /// Runs of a job in this runner; a claim without a verdict keeps the job from being planned.
  func ownRuns(of job: JobIndex) -> Int {
    let own = jobs[job].running + jobs[job].settling
    guard !adoptedEnds.isEmpty else { return own }
    return own
      + adoptedEnds.values.count { $0.run.request.identifier == jobs[job].identifier }
  }
}

extension RequestRecord {
  /// The order in which the requests of one job start: a person's `--now` first, continued tasks in
  /// the order of their submission (CP6), the others by due time and key (PL5).
  static func startsEarlier(_ left: RequestRecord, _ right: RequestRecord) -> Bool {
    if left.gateClass.isImmediate != right.gateClass.isImmediate {
      return left.gateClass.isImmediate
    }
    switch SlotPool(for: left.kind) {
    case .continued: return (left.submittedAt, left.id) < (right.submittedAt, right.id)
    case .scheduled: break
    }
    return (left.notBefore, left.key, left.id) < (right.notBefore, right.key, right.id)
  }
}
