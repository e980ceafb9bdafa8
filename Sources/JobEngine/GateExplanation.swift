package import JobModel

/// Why one request, or a job without any, isn't running: every gate with its verdict (PL13).
package struct GateExplanation: Hashable, Sendable {
  package var identifier: JobIdentifier
  /// Nil when nothing of the job is pending: the gates are those of its next instant.
  package var request: RequestRecord?
  package var gates: [GateVerdict]
}

/// What a process knows that explains jobs from outside: the store, the manifest and what a runner
/// published.
package struct GateExplainer: Sendable {
  private let jobSet: JobSet
  private let snapshots: [JobIdentifier: JobSnapshot]
  /// The runner asked about; nil when none is alive.
  private let owner: OwnerReport?
  private let lastRecordedTime: WallInstant?
  private let machineID: String
  private let now: WallInstant

  /// - Parameters:
  ///   - snapshots: everything that the store knows; limits are counted over it.
  ///   - owner: the runner whose conditions and limits count (PL1); nil when none is alive.
  ///   - lastRecordedTime: the store's, for gate `clock` (PL15).
  ///   - machineID: the runner's, for `randomDelay` (PL18).
  package init(
    jobSet: JobSet, snapshots: [JobSnapshot], owner: OwnerReport?,
    lastRecordedTime: WallInstant?, machineID: String, at now: WallInstant
  ) {
    self.jobSet = jobSet
    self.snapshots = Dictionary(
      snapshots.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
    self.owner = owner
    self.lastRecordedTime = lastRecordedTime
    self.machineID = machineID
    self.now = now
  }

  /// The gates of each waiting request that the store showed; of the next instant when none waits.
  package func explain(_ identifier: JobIdentifier) -> [GateExplanation] {
    let evaluation = evaluation(of: identifier)
    let heads = snapshots[identifier]?.heads ?? []
    guard !heads.isEmpty else {
      return [GateExplanation(identifier: identifier, request: nil, gates: idleGates(identifier))]
    }
    return heads.map { head in
      GateExplanation(
        identifier: identifier, request: head,
        gates: evaluation.verdicts(for: head) + [GateFinding.runner(isAlive: owner != nil).verdict])
    }
  }

  /// When the job's next scheduled instant may start; nil without a schedule, or while it is off.
  package func nextStart(of identifier: JobIdentifier) -> WallInstant? {
    guard let definition = jobSet.definition(for: identifier), definition.isEnabled,
      snapshots[identifier]?.record.disabledSince == nil, let policy = definition.schedule
    else { return nil }
    let offset = StableOffset.delay(
      machine: machineID, identifier: identifier.text, upTo: policy.randomDelay)
    guard let anchor = snapshots[identifier]?.record.anchor else {
      return policy.followsCalendar ? policy.schedule.next(after: now).map { $0 + offset } : now
    }
    return policy.schedule.next(after: anchor).map { $0 + offset }
  }

  private func idleGates(_ identifier: JobIdentifier) -> [GateVerdict] {
    let evaluation = evaluation(of: identifier)
    let definition = evaluation.definition
    let next = nextStart(of: identifier)
    var imagined = RequestRecord(
      id: RequestID(0), identifier: identifier, key: "", kind: definition?.kind ?? .processing,
      origin: next.map { .instant($0) } ?? .submission, submittedAt: now, notBefore: next ?? now)
    imagined.floor = next == nil ? nil : .earliestBegin
    var findings = evaluation.findings(for: imagined)
    if let definition, !definition.afterSuccessOf.isEmpty {
      findings.append(.predecessors(missingSuccesses(of: definition, identifier)))
    }
    findings.append(.runner(isAlive: owner != nil))
    return findings.map(\.verdict)
  }

  /// Predecessors without a success since the job's last start (PL16).
  private func missingSuccesses(
    of definition: JobDefinition, _ identifier: JobIdentifier
  ) -> [JobIdentifier] {
    let lastStart = snapshots[identifier]?.record.lastStart
    return definition.afterSuccessOf.filter { predecessor in
      guard let success = snapshots[predecessor]?.record.lastSuccess else { return true }
      return lastStart.map { success <= $0 } ?? false
    }
  }

  private func evaluation(of identifier: JobIdentifier) -> GateEvaluation {
    let definition = jobSet.definition(for: identifier)
    let snapshot = snapshots[identifier]
    let fence = owner?.owner.fence
    let pool = SlotPool(for: definition?.kind ?? .processing)
    let poolRuns = snapshots.values.reduce(0) { count, other in
      count
        + other.live.count { $0.owner == fence && SlotPool(for: $0.request.kind) == pool }
    }
    var evaluation = GateEvaluation(
      definition: definition, disabledSince: snapshot?.record.disabledSince,
      device: owner?.device ?? .assumed(at: now), live: snapshot?.live ?? [],
      ownRuns: snapshot?.live.count { $0.owner == fence } ?? 0, poolRuns: poolRuns,
      poolLimit: pool.capacity(in: jobSet.concurrency), now: now)
    evaluation.isAwake = false
    evaluation.isClockTrusted = lastRecordedTime.map { now >= $0 - .seconds(86_400) } ?? true
    return evaluation
  }
}
