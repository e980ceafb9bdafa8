import JobModel

/// The free space that is being sampled, because a job needs it now (PL1).
struct FreeSpaceWatch: Hashable, Sendable {
  /// Jobs that require free space somewhere.
  var jobs: Set<JobIndex> = []
  /// Paths that the shell was asked to sample.
  var observed: Set<String> = []
  /// Those of them that have been read since, or given up.
  var read: Set<String> = []
  /// When a path that nobody could read is given up: then it counts as unknown, which is met.
  var givenUpAt: MonotonicInstant?

  /// How long the first reading of a path may take (PL14).
  static let bound = Duration.seconds(5)
}

/// Conditions that no source on this machine knows (PL1).
struct Assumptions: Hashable, Sendable {
  /// Conditions that some job requires.
  var required: Set<Reason> = []
  /// Those already reported as assumed.
  var reported: Set<Reason> = []
}

extension Session {
  mutating func absorb(_ state: DeviceState, at now: Now) {
    guard state != device || freeSpace.read != freeSpace.observed else { return }
    device = state
    freeSpace.read.formUnion(freeSpace.observed.filter { state.freeSpace[$0] != nil })
    if freeSpace.read == freeSpace.observed { freeSpace.givenUpAt = nil }
    reportAssumptions()
    jobs.noteChanges(of: pendingJobs)
    for job in jobs.sorted(leasingJobs) { reviewLeases(of: job, at: now) }
    for number in runs.keys.sorted() { watchConditions(of: number, at: now) }
  }

  /// Says once which required conditions are only assumed.
  mutating func reportAssumptions() {
    for condition in Reason.allCases
    where assumptions.required.contains(condition) && device.assumes(condition)
      && assumptions.reported.insert(condition).inserted
    {
      report(.assumed(condition))
    }
  }

  /// A path without a reading doesn't hold its jobs for ever (PL14).
  mutating func giveUpUnreadPaths(at now: Now) {
    guard let givenUpAt = freeSpace.givenUpAt, givenUpAt <= now.monotonic else { return }
    freeSpace.givenUpAt = nil
    freeSpace.read = freeSpace.observed
    jobs.noteChanges(of: pendingJobs)
  }

  /// Asks for the free space that pending and running jobs need, and for no other.
  mutating func observeFreeSpace(at now: Now) {
    guard !freeSpace.jobs.isEmpty || !freeSpace.observed.isEmpty else { return }
    let needed = freeSpace.jobs.filter {
      pendingJobs.contains($0) || jobs[$0].snapshot.live.contains { $0.owner == fence }
    }
    let paths = Set(
      needed.compactMap { jobs[$0].entry?.job.conditions.minimumFreeSpace }.map { $0.path ?? "" })
    guard paths != freeSpace.observed else { return }
    freeSpace.observed = paths
    freeSpace.read.formIntersection(paths)
    freeSpace.givenUpAt =
      freeSpace.read == paths ? nil : now.monotonic + FreeSpaceWatch.bound
    actions.append(.observeFreeSpace(paths))
  }
}

extension DeviceState {
  /// Whether no source knows this condition, and its value is a guess.
  func assumes(_ condition: Reason) -> Bool {
    if condition == .requiresExternalPower { return externalPower.isAssumed }
    if condition == .network { return connectivity.isAssumed }
    if condition == .requiresIdle { return userActivity.isAssumed }
    if condition == .minimumBattery { return batteryPercent.isAssumed }
    if condition == .lowPowerMode { return isLowPowerMode.isAssumed }
    return condition == .requiredResources && hasGPU.isAssumed
  }
}

extension ConditionRequirements {
  /// The conditions that are required, by their manifest keys.
  var required: Set<Reason> {
    var reasons: Set<Reason> = []
    if requiresExternalPower { reasons.insert(.requiresExternalPower) }
    if network != .notRequired { reasons.insert(.network) }
    if requiresIdle != nil { reasons.insert(.requiresIdle) }
    if minimumBattery != nil { reasons.insert(.minimumBattery) }
    if minimumFreeSpace != nil { reasons.insert(.minimumFreeSpace) }
    if defersInLowPowerMode { reasons.insert(.lowPowerMode) }
    if !requiredResources.isEmpty { reasons.insert(.requiredResources) }
    return reasons
  }
}
