/// A run that has started and not ended, as the store keeps it.
package struct RunRecord: Hashable, Sendable {
  package var run: RunNumber
  /// The request it executes, this run counted in its `starts`.
  package var request: RequestRecord
  package var owner: Fence
  package var startedAt: WallInstant
  /// Set when the warning has been recorded: state expiring, its reason and when the grace ends.
  package var expiring: Expiring?
  /// Set when another process asked for its stop (CP5, `bgrun cancel`).
  package var stopRequested: Reason?
  /// Set while a person is asked whether to wait for it: its progress last changed then (CP3).
  package var stalledSince: WallInstant?
  package var progress: Double?
  package var title: String?
  package var subtitle: String?

  package struct Expiring: Hashable, Sendable {
    package var reason: Reason
    package var since: WallInstant
    package var graceEnds: WallInstant

    package init(reason: Reason, since: WallInstant, graceEnds: WallInstant) {
      self.reason = reason
      self.since = since
      self.graceEnds = graceEnds
    }
  }

  package init(
    run: RunNumber, request: RequestRecord, owner: Fence, startedAt: WallInstant,
    expiring: Expiring? = nil, stopRequested: Reason? = nil,
    stalledSince: WallInstant? = nil, progress: Double? = nil, title: String? = nil,
    subtitle: String? = nil
  ) {
    self.run = run
    self.request = request
    self.owner = owner
    self.startedAt = startedAt
    self.expiring = expiring
    self.stopRequested = stopRequested
    self.stalledSince = stalledSince
    self.progress = progress
    self.title = title
    self.subtitle = subtitle
  }
}
