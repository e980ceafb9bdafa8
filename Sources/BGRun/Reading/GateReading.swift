import JobEngine
import JobModel
import LinuxSystem

/// What holds requests back, judged from outside the runner by the function that the runner itself
/// claims by (PL13).
struct GateReading {
  /// The runner that answers; nil when none is alive.
  let runner: Owner?
  private let jobs: JobSet?
  private let device: DeviceState
  private let running: [RunRecord]
  private let now: WallInstant

  /// - Parameters:
  ///   - snapshots: of every identifier, because limits count them together.
  ///   - runner: the one that answers for itself and its machine; nil when none is alive.
  ///   - device: what it published; without a runner, what this machine shows.
  init(
    jobs: JobSet?, snapshots: [JobSnapshot], runner: Owner?, device: DeviceState,
    now: WallInstant
  ) {
    self.jobs = jobs
    self.runner = runner
    self.device = device
    self.now = now
    running = snapshots.flatMap(\.live)
  }

  /// Every gate of a request, met or not, that of the runner last.
  func verdicts(for request: RequestRecord, in snapshot: JobSnapshot) -> [GateVerdict] {
    evaluation(of: request, in: snapshot).verdicts(for: request) + [runnerVerdict]
  }

  /// The gates of the next instant of a schedule, as its request will have them.
  func verdicts(
    forInstant instant: WallInstant, of definition: JobDefinition, in snapshot: JobSnapshot
  ) -> [GateVerdict] {
    let delay = definition.schedule?.randomDelay ?? .zero
    let offset = StableOffset.delay(
      machine: Machine.stableName, identifier: snapshot.identifier.text, upTo: delay)
    let request = RequestRecord(
      id: RequestID(0), identifier: snapshot.identifier, key: "", kind: definition.kind,
      origin: .instant(instant), submittedAt: instant, notBefore: instant + offset,
      floor: offset > .zero && instant <= now ? .randomDelay : nil)
    return verdicts(for: request, in: snapshot)
  }

  /// The gates of the request that the success of other jobs will bring (PL16).
  func verdicts(
    following predecessors: Predecessors, of definition: JobDefinition, in snapshot: JobSnapshot
  ) -> [GateVerdict] {
    let request = RequestRecord(
      id: RequestID(0), identifier: snapshot.identifier, key: "", kind: definition.kind,
      origin: .predecessors(now), submittedAt: now, notBefore: now)
    return [predecessors.verdict] + verdicts(for: request, in: snapshot)
  }

  private func evaluation(of request: RequestRecord, in snapshot: JobSnapshot) -> GateEvaluation {
    let own = running.filter { $0.owner == runner?.fence }
    let isContinued = request.kind == .continuedProcessing
    let limits = jobs?.concurrency
    return GateEvaluation(
      definition: jobs?.definition(for: request.identifier),
      disabledSince: snapshot.record.disabledSince, device: device, live: snapshot.live,
      ownRuns: own.count { $0.request.identifier == request.identifier },
      poolRuns: own.count { ($0.request.kind == .continuedProcessing) == isContinued },
      poolLimit: (isContinued ? limits?.continuedProcessing : limits?.total) ?? .max, now: now)
  }

  private var runnerVerdict: GateVerdict {
    guard let runner else {
      return GateVerdict(
        gate: .runner, isMet: false, value: "no runner is alive", opens: "start one: bgrun run")
    }
    return GateVerdict(
      gate: .runner, isMet: true, since: runner.startedAt, value: runner.place)
  }
}

extension Owner {
  /// "process 4242 on box"
  var place: String { "process \(processID) on \(host)" }
}

extension SchedulePolicy {
  /// The instant that comes next, or the newest one that has come and isn't recorded yet; nil when
  /// there is none.
  func next(for record: JobRecord, at now: WallInstant) -> WallInstant? {
    guard let recorded = record.anchor else {
      return schedule.firstDue(seenAt: now).instants.last ?? schedule.next(after: now)
    }
    var anchor = recorded
    if record.scheduleFingerprint != schedule.fingerprint {
      anchor = schedule.rebasedAnchor(recorded, now: now)
    }
    anchor = schedule.correctedAnchor(anchor, now: now) ?? anchor
    let due = schedule.due(anchor: anchor, now: now, catchUp: .latest, limit: 1, onTime: .zero)
    return due.instants.last ?? schedule.next(after: anchor)
  }
}
