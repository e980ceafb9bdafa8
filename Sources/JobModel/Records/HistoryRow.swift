/// One ended run, or a row without a run; what `bgrun history` shows (ST3).
package struct HistoryRow: Hashable, Sendable {
  /// The row's place in the store's order, newest highest.
  package var sequence: Int64
  /// Nil for a row without a run.
  package var run: RunNumber?
  package var identifier: JobIdentifier
  package var key = ""
  package var attempt = 0
  package var submittedAt: WallInstant?
  package var scheduledAt: WallInstant?
  package var startedAt: WallInstant?
  package var endedAt: WallInstant
  package var outcome: Outcome
  package var reason: Reason?
  /// The condition, the limit, or a text.
  package var detail: String?
  /// Instants or requests that the row stands for.
  package var count = 1
  package var ending = RunEnding()
  package var progress: Double?
  /// Name of the machine that ran it.
  package var host: String?
  /// Path of the captured output, relative to the state directory; nil without any.
  package var output: String?

  package init(
    sequence: Int64, run: RunNumber?, identifier: JobIdentifier, endedAt: WallInstant,
    outcome: Outcome
  ) {
    self.sequence = sequence
    self.run = run
    self.identifier = identifier
    self.endedAt = endedAt
    self.outcome = outcome
  }

  /// How late the start was against the scheduled instant; nil when it never started.
  package var lateness: Duration? {
    guard let startedAt, let scheduledAt else { return nil }
    return startedAt - scheduledAt
  }
}
