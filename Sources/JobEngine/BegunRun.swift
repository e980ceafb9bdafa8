import JobModel

/// What stays true of a run from its start to its end, shared: every event of the run looks at it.
final class BegunRun: Sendable {
  let number: RunNumber
  let jobIndex: JobIndex
  /// The request as it was claimed.
  let request: RequestRecord
  /// The entry in force at the launch; a reload doesn't change it (PL12).
  let entry: JobEntry
  let startedAt: Now
  /// Conditions that were unmet when `run --now` launched it: they aren't watched (PL19).
  let unwatched: Set<Reason>
  /// Whether it was claimed ahead of its start.
  let isLeased: Bool

  init(
    number: RunNumber, jobIndex: JobIndex, request: RequestRecord, entry: JobEntry, startedAt: Now,
    unwatched: Set<Reason>, isLeased: Bool
  ) {
    self.number = number
    self.jobIndex = jobIndex
    self.request = request
    self.entry = entry
    self.startedAt = startedAt
    self.unwatched = unwatched
    self.isLeased = isLeased
  }
}
