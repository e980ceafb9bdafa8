/// What the store remembers of one identifier between runs.
package struct JobRecord: Hashable, Sendable {
  package var identifier: JobIdentifier
  /// The last scheduled instant that was recorded (PL7); nil until a schedule was first seen.
  package var anchor: WallInstant?
  /// Fingerprint of the schedule that the anchor belongs to: a different one is a changed schedule.
  package var scheduleFingerprint: String?
  package var lastStart: WallInstant?
  /// The last final success of a request; kept apart from the history's retention (PL16).
  package var lastSuccess: WallInstant?
  /// The newest ended row's outcome and reason, for `status`.
  package var lastOutcome: Outcome?
  package var lastReason: Reason?
  /// Since when a person has switched it off; nil while it is on (SB10).
  package var disabledSince: WallInstant?

  package init(identifier: JobIdentifier) {
    self.identifier = identifier
  }
}

/// One identifier as the store has it at a revision: bounded by the manifest, never by what is
/// pending.
package struct JobSnapshot: Hashable, Sendable {
  package var identifier: JobIdentifier
  package var record: JobRecord
  /// The first requests of each gate class whose key isn't running, by `notBefore`, then number.
  package var heads: [RequestRecord]
  /// All pending requests.
  package var pendingCount: Int
  /// Runs that haven't ended, of every owner.
  package var live: [RunRecord]
  package var revision: Revision

  package init(
    identifier: JobIdentifier, record: JobRecord, heads: [RequestRecord] = [],
    pendingCount: Int = 0, live: [RunRecord] = [], revision: Revision = Revision(0)
  ) {
    self.identifier = identifier
    self.record = record
    self.heads = heads
    self.pendingCount = pendingCount
    self.live = live
    self.revision = revision
  }

  /// The identifier as people see it: what is only claimed ahead waits as before.
  package var showingLeasesAsPending: JobSnapshot {
    let leased = live.filter(\.isLeased).map(\.requestBeforeLease)
    guard !leased.isEmpty else { return self }
    var result = self
    result.live.removeAll(where: \.isLeased)
    result.heads = (heads + leased).sorted(by: RequestRecord.isDueEarlier)
    result.pendingCount += leased.count
    return result
  }
}
