import JobModel

/// When a job has to be looked at again by the wall clock.
struct Attention: Hashable, Sendable {
  /// The next window that opens.
  var opening: WallInstant?
  /// The earliest end of a window: by then it must have been noticed (PL6).
  var windowEnd: WallInstant?

  mutating func add(_ opening: WallInstant, tolerance: Duration = .zero) {
    self.opening = earliest([self.opening, opening])
    windowEnd = earliest([windowEnd, opening + tolerance])
  }
}

extension Session {
  /// Plans every job that changed or whose window has opened, then gives out the free places.
  mutating func plan(at now: Now) {
    while let job = openings.popFirst(upTo: now.wall) { jobs.noteChange(of: job) }
    while let job = holds.popFirst(upTo: now.monotonic) {
      jobs[job].heldUntil = nil
      jobs.noteChange(of: job)
    }
    guard mayPropose else { return }
    observeFreeSpace(at: now)
    guard jobs.hasChanges || !scheduledReady.isEmpty || !continuedReady.isEmpty else { return }
    let planned = jobs.takeChanges()
    for job in planned { plan(job, at: now) }
    claimReady(at: now)
    for job in planned { leaseAhead(job, at: now) }
    for job in planned {
      announce(job, at: now)
      decideHeld(job, at: now)
    }
  }

  private mutating func plan(_ job: JobIndex, at now: Now) {
    var attention = Attention()
    jobs[job].ready = []
    jobs[job].beyondLimit = []
    if jobs[job].proposalsInFlight == 0, jobs[job].heldUntil == nil, isSelected(job) {
      if !startsOnlyImmediate, planInstants(of: job, &attention, at: now) {
        // The verdict brings the job back here.
      } else if !startsOnlyImmediate, follow(job, at: now) {
        // As above.
      } else {
        planHeads(of: job, &attention, at: now)
      }
    }
    openings.set(attention.opening, for: job)
    windowEnds.set(attention.windowEnd, for: job)
    rankReady(job)
  }

  /// - Returns: whether something was proposed.
  private mutating func planInstants(
    of index: JobIndex, _ attention: inout Attention, at now: Now
  ) -> Bool {
    guard let planner = instantPlanner(for: index, at: now) else { return false }
    if jobs[index].isDisabled {
      jobs[index].wasDisabled = true
      return false
    }
    if jobs[index].wasDisabled {
      jobs[index].wasDisabled = false
      if let recording = planner.recordingOfDisabled() {
        propose(.recordInstants(recording), for: .record(index))
        return true
      }
    }
    let unmet = planner.decidesEach ? gates(of: index, at: now).firstUnmetCondition : nil
    switch planner.step(holder: jobs[index].known.instantHolder, firstUnmet: unmet) {
    case .record(let recording):
      propose(.recordInstants(recording), for: .record(index))
      return true
    case .wait(let opening):
      if let opening, opening > now.wall {
        attention.add(opening, tolerance: planner.entry.job.tolerance)
      }
      return false
    }
  }

  /// The planner of a job's instants; nil when it has no schedule, or its dates wait for a clock
  /// that can be trusted (PL15).
  func instantPlanner(for job: JobIndex, at now: Now) -> InstantPlanner? {
    guard let entry = jobs[job].entry, let policy = entry.job.schedule,
      clock.isTrusted || !policy.followsCalendar
    else { return nil }
    return InstantPlanner(
      entry: entry, identifier: jobs[job].identifier, policy: policy,
      record: jobs[job].snapshot.record, offset: jobs[job].offset, now: now.wall,
      horizon: instantHorizon(at: now), care: jobs[job].instantCare)
  }

  private func instantHorizon(at now: Now) -> WallInstant {
    switch configuration.mode {
    case .continuous: WallInstant(microseconds: .max)
    case .once, .drain: joinedAt.wall
    }
  }

  /// Submits a job once each of its predecessors has succeeded since its last start (PL16).
  ///
  /// - Returns: whether something was proposed.
  private mutating func follow(_ index: JobIndex, at now: Now) -> Bool {
    guard let entry = jobs[index].entry, !entry.job.afterSuccessOf.isEmpty else { return false }
    let job = jobs[index]
    guard !job.isDisabled, !job.snapshot.heads.contains(where: \.isUnstartedFollower) else {
      return false
    }
    let predecessors = Predecessors(
      entry.job.afterSuccessOf, lastStart: job.snapshot.record.lastStart
    ) { jobs[$0]?.snapshot.record.lastSuccess }
    guard predecessors.missing.isEmpty, let newest = predecessors.newestSuccess,
      job.settledPredecessors != newest
    else { return false }
    var submission = Submission(
      identifier: job.identifier, kind: entry.job.kind, submittedAt: now.wall)
    submission.origin = .predecessors(newest)
    propose(.submit(submission), for: .follow(index, newest))
    return true
  }
}

extension KnownJob {
  /// What keeps the next instants of its schedule from being recorded.
  fileprivate var instantHolder: InstantPlanner.Holder {
    if liveKeys.contains("") { return .predecessor }
    return snapshot.heads.first { $0.isUnstartedInstant }.map { .waiting($0) } ?? .none
  }
}

extension RequestRecord {
  var isUnstartedInstant: Bool {
    switch origin {
    case .instant: starts == 0
    case .submission, .predecessors: false
    }
  }

  var isUnstartedFollower: Bool {
    switch origin {
    case .predecessors: starts == 0
    case .submission, .instant: false
    }
  }
}
