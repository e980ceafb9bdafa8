import JobEngine
import JobModel

/// What every job is doing, from one look at the store.
struct StatusReading {
  private let jobs: JobSet?
  private let snapshots: [JobIdentifier: JobSnapshot]
  /// One for each runner that is at work, in the order of their starts; without any, one of this machine.
  private let gateReadings: [GateReading]
  private let now: WallInstant

  /// The runners that are at work: who is alive only for the ends of its runs is none (EM1).
  let runners: [Owner]

  init(_ workplace: Workplace, in context: CommandContext) throws(CommandFailure) {
    let now = context.now().wall
    let snapshots = try workplace.read { store throws(StoreFailure) in
      try store.snapshots(of: nil, headLimit: 1)
    }.map(\.showingLeasesAsPending)
    let owners = try workplace.read { store throws(StoreFailure) in try store.owners() }
    jobs = workplace.jobs
    self.snapshots = Dictionary(snapshots.map { ($0.identifier, $0) }) { first, _ in first }
    let alive = owners.filter(\.isAtWork)
    runners = alive.map(\.owner)
    // What a runner hasn't published yet is what this machine shows.
    let isOwnNeeded = alive.isEmpty || alive.contains { $0.device == nil }
    let own = isOwnNeeded ? try Self.machine(workplace, in: context) : .assumed(at: now)
    let views: [(Owner?, DeviceState)] =
      alive.isEmpty ? [(nil, own)] : alive.map { ($0.owner, $0.device ?? own) }
    gateReadings = views.map { runner, device in
      GateReading(
        jobs: workplace.jobs, snapshots: snapshots, runner: runner, device: device, now: now)
    }
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
    let unmet = gateReadings.map { reading -> GatesOfRunner<Reason> in
      var verdicts: [GateVerdict] = []
      if let head {
        verdicts = reading.verdicts(for: head, in: snapshot)
      } else if let definition, let instant, instant <= now, run == nil, !isOff {
        verdicts = reading.verdicts(forInstant: instant, of: definition, in: snapshot)
      }
      return GatesOfRunner(
        runner: reading.runner, gates: verdicts.filter { !$0.isMet }.map(\.gate))
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
      return requests.map { request in
        wait(.request(request)) { $0.verdicts(for: request, in: snapshot) }
      }
    }
    guard let definition = jobs?.definition(for: identifier) else { return [] }
    if let instant = definition.schedule?.next(for: snapshot.record, at: now) {
      return [
        wait(.nextInstant) { $0.verdicts(forInstant: instant, of: definition, in: snapshot) }
      ]
    }
    guard !definition.afterSuccessOf.isEmpty else { return [] }
    let predecessors = Predecessors(
      definition.afterSuccessOf, lastStart: snapshot.record.lastStart,
      success: { snapshots[$0]?.record.lastSuccess })
    return [
      wait(.successOfOthers) { $0.verdicts(following: predecessors, of: definition, in: snapshot) }
    ]
  }

  private func wait(
    _ subject: WhyReport.Wait.Subject, _ verdicts: (GateReading) -> [GateVerdict]
  ) -> WhyReport.Wait {
    WhyReport.Wait(
      subject: subject,
      gatesOfRunners: gateReadings.map { GatesOfRunner(runner: $0.runner, gates: verdicts($0)) })
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
