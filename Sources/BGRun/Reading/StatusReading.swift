import JobEngine
import JobModel

/// What every job is doing, from one look at the store.
struct StatusReading {
  private let jobs: JobSet?
  private let snapshots: [JobIdentifier: JobSnapshot]
  private let gateReading: GateReading
  private let now: WallInstant

  let hasRunner: Bool

  init(_ workplace: Workplace, in context: CommandContext) throws(CommandFailure) {
    let now = context.now().wall
    let snapshots = try workplace.read { store throws(StoreFailure) in
      try store.snapshots(of: nil, headLimit: 1)
    }.map(\.showingLeasesAsPending)
    let owners = try workplace.read { store throws(StoreFailure) in try store.owners() }
    jobs = workplace.jobs
    self.snapshots = Dictionary(snapshots.map { ($0.identifier, $0) }) { first, _ in first }
    let runner = owners.first { $0.isAlive }
    let device =
      if let published = runner?.device { published } else {
        try Self.machine(workplace, in: context)
      }
    gateReading = GateReading(
      jobs: workplace.jobs, snapshots: snapshots, runner: runner, device: device, now: now)
    hasRunner = gateReading.hasRunner
    self.now = now
  }

  /// Every job that the job set declares or of which the store still has something to do, by
  /// identifier.
  var statuses: [JobStatus] {
    let stored = snapshots.values.filter { snapshot in
      jobs?.definition(for: snapshot.identifier) != nil || jobs == nil
        || snapshot.pendingCount > 0 || !snapshot.live.isEmpty
    }
    return Set(stored.map(\.identifier)).union(jobs?.jobs.keys.map { $0 } ?? [])
      .sorted().map(status)
  }

  func status(of identifier: JobIdentifier) -> JobStatus {
    let definition = jobs?.definition(for: identifier)
    let snapshot = snapshots[identifier] ?? Self.unseen(identifier)
    let run = snapshot.live.max { $0.run < $1.run }
    let head = snapshot.heads.min { ($0.notBefore, $0.id) < ($1.notBefore, $1.id) }
    let instant = definition?.schedule?.next(for: snapshot.record, at: now)
    let isOff = snapshot.record.disabledSince != nil || definition?.isEnabled == false
    var unmet: [Reason] = []
    if let head {
      unmet = gateReading.verdicts(for: head, in: snapshot).filter { !$0.isMet }.map(\.gate)
    } else if let definition, let instant, instant <= now, run == nil, !isOff {
      unmet = gateReading.verdicts(forInstant: instant, of: definition, in: snapshot)
        .filter { !$0.isMet }.map(\.gate)
    }
    return JobStatus(
      identifier: identifier,
      kind: definition?.kind ?? head?.kind ?? run?.request.kind,
      description: definition?.description,
      state: Self.state(of: snapshot, isOff: isOff),
      next: head?.notBefore ?? (isOff ? nil : instant),
      progress: run?.progress,
      lastOutcome: snapshot.record.lastOutcome,
      lastReason: snapshot.record.lastReason,
      unmet: unmet)
  }

  /// Every gate of each pending request or, when nothing is pending, of what would bring the next
  /// one: the schedule, or the success of other jobs.
  func gates(of requests: [RequestRecord], _ identifier: JobIdentifier) -> [WhyReport.Wait] {
    let snapshot = snapshots[identifier] ?? Self.unseen(identifier)
    if !requests.isEmpty {
      return requests.map {
        WhyReport.Wait(
          subject: .request($0), gates: gateReading.verdicts(for: $0, in: snapshot))
      }
    }
    guard let definition = jobs?.definition(for: identifier) else { return [] }
    if let instant = definition.schedule?.next(for: snapshot.record, at: now) {
      let gates = gateReading.verdicts(forInstant: instant, of: definition, in: snapshot)
      return [WhyReport.Wait(subject: .nextInstant, gates: gates)]
    }
    guard !definition.afterSuccessOf.isEmpty else { return [] }
    let predecessors = Predecessors(
      definition.afterSuccessOf, lastStart: snapshot.record.lastStart,
      success: { snapshots[$0]?.record.lastSuccess })
    let gates = gateReading.verdicts(following: predecessors, of: definition, in: snapshot)
    return [WhyReport.Wait(subject: .successOfOthers, gates: gates)]
  }

  /// Runs of an identifier that haven't ended, the oldest first.
  func live(of identifier: JobIdentifier) -> [RunRecord] {
    (snapshots[identifier]?.live ?? []).sorted { $0.run < $1.run }
  }

  private static func machine(
    _ workplace: Workplace, in context: CommandContext
  ) throws(CommandFailure) -> DeviceState {
    let paths = workplace.jobs?.jobs.values.compactMap(\.conditions.minimumFreeSpace) ?? []
    return try MachineConditions.read(
      folder: workplace.folder, paths: Set(paths.map { $0.path ?? "" }), in: context)
  }

  private static func unseen(_ identifier: JobIdentifier) -> JobSnapshot {
    JobSnapshot(identifier: identifier, record: JobRecord(identifier: identifier))
  }

  private static func state(of snapshot: JobSnapshot, isOff: Bool) -> JobStatus.State {
    if snapshot.live.contains(where: { $0.expiring != nil }) { return .expiring }
    if !snapshot.live.isEmpty { return .running }
    if isOff { return .disabled }
    return snapshot.pendingCount > 0 ? .pending : .idle
  }
}
