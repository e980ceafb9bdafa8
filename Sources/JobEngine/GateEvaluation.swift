package import JobModel

/// The gates between one request and its start (PL13).
///
/// The engine claims by this function and `bgrun why` explains by it, so that what is explained is
/// what decides.
package struct GateEvaluation: Sendable {
  /// The entry that permits the identifier; nil when it left the manifest (SB11).
  var entry: JobEntry?
  /// Since when a person has switched the job off (SB10).
  var disabledSince: WallInstant?
  var device: DeviceState
  /// Runs of the identifier that haven't ended, of every owner.
  let live: [RunRecord]
  /// Their keys: of many runs and many requests few have the same.
  private let liveKeys: Set<String>
  /// Runs of the identifier in this runner.
  var ownRuns: Int
  /// Runs in this runner that take places of the same pool.
  var poolRuns: Int
  var poolLimit: Int
  /// Whether scheduled instants may be trusted to the wall clock (PL15).
  package var isClockTrusted = true
  /// Whether the runner is awake: then every window that has begun is open (PL6).
  var isAwake = true
  /// Paths whose free space has been read since it was asked for; nil where every reading counts.
  var readPaths: Set<String>?
  var now: WallInstant

  /// Every gate of `request`, met or not, in the order in which they are asked.
  package func verdicts(for request: RequestRecord) -> [GateVerdict] {
    var verdicts: [GateVerdict] = []
    visitGates(of: request) { finding in
      verdicts.append(finding.verdict)
      return true
    }
    return verdicts
  }

  /// The first gate that holds `request` back; nil when it may start.
  func firstUnmet(for request: RequestRecord) -> GateFinding? {
    var unmet: GateFinding?
    visitGates(of: request) { finding in
      if !finding.isMet { unmet = finding }
      return unmet == nil
    }
    return unmet
  }

  /// The gates in order, until `visit` says no; conditions come before limits, because limits never
  /// fail a request (SB7).
  private func visitGates(of request: RequestRecord, _ visit: (GateFinding) -> Bool) {
    guard visit(.permission(isPermitted: entry != nil)) else { return }
    guard visit(.switchedOff(whoSwitchedOff)) else { return }
    let isReached = isFloorReached(of: request)
    if let floor = request.floor ?? (isReached ? nil : .earliestBegin) {
      guard
        visit(
          .floor(
            floor, since: request.submittedAt, until: request.notBefore, isReached: isReached))
      else { return }
    }
    if case .instant = request.origin, entry?.job.schedule?.followsCalendar == true {
      guard visit(.clock(isTrusted: isClockTrusted)) else { return }
    }
    if let entry {
      let windowEnd = request.notBefore + entry.job.tolerance
      if !isAwake, request.notBefore <= now, windowEnd > now {
        guard visit(.window(until: windowEnd)) else { return }
      }
      for finding in conditions(of: request, in: entry) {
        guard visit(finding) else { return }
      }
    }
    let twin = twin(of: request)
    guard visit(.twin(twin.map { GateFinding.Twin(run: $0.run, since: $0.startedAt) })) else {
      return
    }
    if twin == nil {
      guard visit(.maxRunning(running: ownRuns, limit: entry?.job.maxRunning ?? 1)) else { return }
    }
    _ = visit(.concurrency(SlotPool(for: request.kind), running: poolRuns, limit: poolLimit))
  }

  /// A retry that lies further ahead than any delay of the job was dated by a clock that has been
  /// set back since: it has waited enough (LC9, PL10).
  private func isFloorReached(of request: RequestRecord) -> Bool {
    if request.notBefore <= now { return true }
    guard request.floor == .retryDelay, let retry = entry?.job.retry else { return false }
    return request.notBefore > now + max(retry.maxDelay, retry.initialDelay)
  }

  /// What was found of each condition that the request or its job requires.
  private func conditions(of request: RequestRecord, in entry: JobEntry) -> [GateFinding] {
    guard entry.hasConditions || request.gateClass.hasConditions else { return [] }
    let required = entry.job.conditions.tightened(by: request.gateClass)
    return required.verdicts(in: device, at: now).map {
      isRead($0, of: required) ? .condition($0) : .unread($0.condition)
    }
  }

  /// The first condition of the job itself that is known not to hold (SB7).
  var firstUnmetCondition: Reason? {
    guard let entry, entry.hasConditions else { return nil }
    let required = entry.job.conditions
    return required.verdicts(in: device, at: now)
      .first { !$0.isMet && isRead($0, of: required) }?.condition
  }

  /// Whether a condition of the request was asked for and hasn't been read yet.
  func awaitsReading(for request: RequestRecord) -> Bool {
    guard let entry else { return false }
    return conditions(of: request, in: entry).contains {
      if case .unread = $0 { true } else { false }
    }
  }

  /// Whether what the verdict rests on has been read since it was asked for.
  private func isRead(_ verdict: ConditionVerdict, of required: ConditionRequirements) -> Bool {
    guard verdict.condition == .minimumFreeSpace, let readPaths else { return true }
    return readPaths.contains(required.minimumFreeSpace?.path ?? "")
  }

  /// The run with the request's key that hasn't ended (SB1).
  func twin(of request: RequestRecord) -> RunRecord? {
    guard liveKeys.contains(request.key) else { return nil }
    return live.first { $0.request.key == request.key }
  }

  private var whoSwitchedOff: GateFinding.Switch? {
    if let disabledSince { return .person(since: disabledSince) }
    return entry?.job.isEnabled == false ? .manifest : nil
  }
}

extension GateEvaluation {
  init(
    entry: JobEntry?, disabledSince: WallInstant?, device: DeviceState, live: [RunRecord],
    liveKeys: Set<String>? = nil, ownRuns: Int, poolRuns: Int, poolLimit: Int, now: WallInstant
  ) {
    self.entry = entry
    self.disabledSince = disabledSince
    self.device = device
    self.live = live
    self.liveKeys = liveKeys ?? live.keys
    self.ownRuns = ownRuns
    self.poolRuns = poolRuns
    self.poolLimit = poolLimit
    self.now = now
  }

  /// An evaluation from outside the engine, to which every published reading counts.
  ///
  /// - Parameters:
  ///   - live: runs of the identifier that haven't ended, of every owner.
  ///   - ownRuns: runs of the identifier in the runner asked about.
  ///   - poolRuns: runs in that runner that take places of the same pool.
  package init(
    definition: JobDefinition?, disabledSince: WallInstant?, device: DeviceState,
    live: [RunRecord], ownRuns: Int, poolRuns: Int, poolLimit: Int, now: WallInstant
  ) {
    self.init(
      entry: definition.map { JobEntry($0) }, disabledSince: disabledSince, device: device,
      live: live, ownRuns: ownRuns, poolRuns: poolRuns, poolLimit: poolLimit, now: now)
    isAwake = false
  }
}

extension GateClass {
  /// Whether the request itself asks something of the device.
  var hasConditions: Bool {
    requiresExternalPower || network != .notRequired || !requiredResources.isEmpty
  }
}
