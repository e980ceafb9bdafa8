/// A change that an engine or a command proposes; the store applies, refuses or fails each one.
package enum Transition: Hashable, Sendable {
  /// A new request; it replaces the unstarted submission of the same identifier and key (SB1).
  case submit(Submission)
  /// Scheduled instants: the requests, the skipped count and the anchor's advance together (PL11).
  ///
  /// Refused as a whole when one of its instants exists: the proposer advances without it.
  case recordInstants(InstantRecording)
  /// Starts a run of a pending request (ST1), or claims one ahead.
  case claim(Claim)
  /// A run that was claimed ahead has started (ST1, ST3).
  case begin(RunStart)
  /// Gives a run that was claimed ahead back before it starts: its request is pending as it was.
  case release(RunRelease)
  /// The warning of a run (LC4).
  case beginExpiring(BeginExpiring)
  /// The one end of a run (ST1).
  case end(RunEnd)
  /// A person is to be asked about a run that makes no progress, or no longer; not synchronous
  /// (CP3).
  case stall(StallRecording)
  /// The person's answer: the run that stalled is waited for (CP3). One that doesn't stall any more
  /// stays as it is.
  case goOnWaiting(RunNumber)
  /// Asks the owner of a run to stop it.
  case requestStop(StopRequest)
  /// Ends pending requests before they start.
  case cancel(Cancellation)
  /// Ends one pending request with a row of its own: skip, fail and tooLate (SB7, PL17).
  case close(RequestClosing)
  /// The strategy was applied: the request queues from now on (SB7).
  case decide(RequestID)
  /// Switches an identifier on or off for a person (SB10).
  case switchJob(JobSwitch)
  /// Progress of a run; not synchronous, at most once a second.
  case progress(ProgressRecording)
  /// Removes ended rows older than the retention, oldest first up to the first younger one, and
  /// never the newest row nor the newest run of an identifier (DU5).
  case prune(JobIdentifier, endedBefore: WallInstant)
  /// Sets the store's last recorded time back, once the clock is trusted (PL15).
  case resetRecordedTime(WallInstant)
}

/// A request to be stored.
package struct Submission: Hashable, Sendable {
  package var identifier: JobIdentifier
  package var key = ""
  package var kind: JobKind
  package var origin = RequestOrigin.submission
  package var submittedAt: WallInstant
  package var notBefore: WallInstant
  package var floor: Reason?
  package var gateClass = GateClass()
  package var parameters: String?
  package var title: String?
  package var subtitle: String?
  package var isUserInitiated = false
  /// Pending requests of the kind that the store may hold with this one; nil is no limit (SB2).
  package var pendingLimit: Int?

  package init(identifier: JobIdentifier, kind: JobKind, submittedAt: WallInstant) {
    self.identifier = identifier
    self.kind = kind
    self.submittedAt = submittedAt
    self.notBefore = submittedAt
  }
}

/// The advance of an anchor with what it brings (PL9, PL11).
package struct InstantRecording: Hashable, Sendable {
  package var identifier: JobIdentifier
  /// Compare-and-set: applied only while the store's anchor is this one.
  package var expectedAnchor: WallInstant?
  package var newAnchor: WallInstant
  package var scheduleFingerprint: String
  /// Requests with origin `.instant`, oldest first; their pending limit isn't looked at.
  package var requests: [Submission] = []
  /// Unstarted pending instants that the new ones stand for; they are counted in `skipped`.
  package var superseded: [RequestID] = []
  /// A row without a run for the instants that will not run, this transition's superseded included.
  package var skipped: SkippedInstants?
  package var recordedAt: WallInstant

  package init(
    identifier: JobIdentifier, expectedAnchor: WallInstant?, newAnchor: WallInstant,
    scheduleFingerprint: String, recordedAt: WallInstant
  ) {
    self.identifier = identifier
    self.expectedAnchor = expectedAnchor
    self.newAnchor = newAnchor
    self.scheduleFingerprint = scheduleFingerprint
    self.recordedAt = recordedAt
  }
}

/// Instants that never run, as one row (PL9, SB10, SB7).
package struct SkippedInstants: Hashable, Sendable {
  package var count: Int
  package var outcome = Outcome.skipped
  package var reason: Reason
  package var detail: String?
  /// The newest nominal instant among them.
  package var last: WallInstant

  package init(count: Int, reason: Reason, last: WallInstant) {
    self.count = count
    self.reason = reason
    self.last = last
  }
}

/// The start of a run.
package struct Claim: Hashable, Sendable {
  package var request: RequestID
  package var identifier: JobIdentifier
  package var owner: Fence
  /// When it starts; of a run that is claimed ahead, when it was claimed.
  package var startedAt: WallInstant
  /// Whether the run is only claimed ahead, to start without another transaction as soon as its
  /// owner has a place for it; until then it doesn't count as started.
  package var isLease: Bool
  /// Whether the claim is on the disk before it is answered. Without that a power cut, but no crash
  /// of a process, may undo it: the run is repeated as if it had never started.
  package var survivesPowerCut: Bool

  package init(
    request: RequestID, identifier: JobIdentifier, owner: Fence, startedAt: WallInstant,
    isLease: Bool = false, survivesPowerCut: Bool = true
  ) {
    self.request = request
    self.identifier = identifier
    self.owner = owner
    self.startedAt = startedAt
    self.isLease = isLease
    self.survivesPowerCut = survivesPowerCut
  }
}

/// The start of a run that was claimed ahead.
package struct RunStart: Hashable, Sendable {
  package var run: RunNumber
  package var owner: Fence
  package var startedAt: WallInstant

  package init(run: RunNumber, owner: Fence, startedAt: WallInstant) {
    self.run = run
    self.owner = owner
    self.startedAt = startedAt
  }
}

/// Gives a run back that was claimed ahead and hasn't started. No row is written, unless the key
/// was submitted again meanwhile: then that submission has replaced this one (SB1).
package struct RunRelease: Hashable, Sendable {
  package var run: RunNumber
  package var owner: Fence
  package var at: WallInstant

  package init(run: RunNumber, owner: Fence, at: WallInstant) {
    self.run = run
    self.owner = owner
    self.at = at
  }
}

/// The warning of a run.
package struct BeginExpiring: Hashable, Sendable {
  package var run: RunNumber
  package var owner: Fence
  package var expiring: RunRecord.Expiring

  package init(run: RunNumber, owner: Fence, expiring: RunRecord.Expiring) {
    self.run = run
    self.owner = owner
    self.expiring = expiring
  }
}

/// Since when a run makes no progress, while a person is asked about it.
package struct StallRecording: Hashable, Sendable {
  package var run: RunNumber
  package var owner: Fence
  /// The last change of its progress; nil takes the question back.
  package var since: WallInstant?

  package init(run: RunNumber, owner: Fence, since: WallInstant?) {
    self.run = run
    self.owner = owner
    self.since = since
  }
}

/// The end of a run and what becomes of its request.
package struct RunEnd: Hashable, Sendable {
  package var run: RunNumber
  package var owner: Fence
  /// When a run that was claimed ahead did start; nil leaves what the store has.
  package var startedAt: WallInstant?
  package var endedAt: WallInstant
  package var outcome: Outcome
  package var reason: Reason?
  package var detail: String?
  package var ending: RunEnding
  package var progress: Double?
  package var next: Disposition

  /// What becomes of the request when its run has ended (LC9).
  package enum Disposition: Hashable, Sendable {
    /// The request is over.
    case final
    /// The request is pending again.
    case again(notBefore: WallInstant, floor: Reason, attempt: Int, returnsInRow: Int)
  }

  package init(
    run: RunNumber, owner: Fence, endedAt: WallInstant, outcome: Outcome, reason: Reason? = nil,
    detail: String? = nil, ending: RunEnding = RunEnding(), progress: Double? = nil,
    next: Disposition
  ) {
    self.run = run
    self.owner = owner
    self.endedAt = endedAt
    self.outcome = outcome
    self.reason = reason
    self.detail = detail
    self.ending = ending
    self.progress = progress
    self.next = next
  }
}

/// Asks the owner of a live run to stop it; the latest reason stands. For `progressStalled`, the answer
/// of a person who doesn't wait, the run must be recorded as stalled (CP3).
package struct StopRequest: Hashable, Sendable {
  package var run: RunNumber
  package var reason: Reason

  package init(run: RunNumber, reason: Reason) {
    self.run = run
    self.reason = reason
  }
}

/// Ends the pending requests of an identifier, of one key or of all, started ones that wait for a
/// retry included.
package struct Cancellation: Hashable, Sendable {
  package var identifier: JobIdentifier
  /// Nil is every key.
  package var key: String?
  package var reason: Reason
  package var at: WallInstant

  package init(identifier: JobIdentifier, key: String?, reason: Reason, at: WallInstant) {
    self.identifier = identifier
    self.key = key
    self.reason = reason
    self.at = at
  }
}

/// The end of one pending request without a run.
package struct RequestClosing: Hashable, Sendable {
  package var request: RequestID
  package var outcome: Outcome
  package var reason: Reason
  package var detail: String?
  package var at: WallInstant

  package init(
    request: RequestID, outcome: Outcome, reason: Reason, detail: String? = nil, at: WallInstant
  ) {
    self.request = request
    self.outcome = outcome
    self.reason = reason
    self.detail = detail
    self.at = at
  }
}

/// A person's switch of one identifier (SB10).
package struct JobSwitch: Hashable, Sendable {
  package var identifier: JobIdentifier
  package var isEnabled: Bool
  package var at: WallInstant

  package init(identifier: JobIdentifier, isEnabled: Bool, at: WallInstant) {
    self.identifier = identifier
    self.isEnabled = isEnabled
    self.at = at
  }
}

/// What a run said of itself.
package struct ProgressRecording: Hashable, Sendable {
  package var run: RunNumber
  package var owner: Fence
  package var fraction: Double?
  package var title: String?
  package var subtitle: String?

  package init(
    run: RunNumber, owner: Fence, fraction: Double?, title: String?, subtitle: String?
  ) {
    self.run = run
    self.owner = owner
    self.fraction = fraction
    self.title = title
    self.subtitle = subtitle
  }
}
