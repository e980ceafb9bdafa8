import JobModel

/// One entry of the manifest, shared: a definition is large, and every event would copy it.
final class JobEntry: Sendable {
  let job: JobDefinition
  /// Whether the job asks nothing of the device, so that most gates need no look at it.
  let hasConditions: Bool
  /// What the schedule is known by in the store; empty without one.
  let fingerprint: String

  init(_ job: JobDefinition) {
    self.job = job
    fingerprint = job.schedule?.schedule.fingerprint ?? ""
    hasConditions = job.conditions != ConditionRequirements()
  }
}
