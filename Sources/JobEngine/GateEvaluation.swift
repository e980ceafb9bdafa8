package import JobModel

/// The gates between one request and its start (PL13).
///
/// The engine claims by this function and `bgrun why` explains by it, so that what is explained is
/// what decides.
package struct GateEvaluation: Sendable {
  /// The entry that permits the identifier; nil when it left the manifest (SB11).
  package var definition: JobDefinition?
  /// Since when a person has switched the job off (SB10).
  package var disabledSince: WallInstant?
  package var device: DeviceState
  /// Runs of the identifier that haven't ended, of every owner.
  package var live: [RunRecord]
  /// Runs of the identifier in this runner.
  package var ownRuns: Int
  /// Runs in this runner that take places of the same pool.
  package var poolRuns: Int
  package var poolLimit: Int
  /// Whether scheduled instants may be trusted to the wall clock (PL15).
  package var isClockTrusted = true
  /// Whether the runner is awake: then every window that has begun is open (PL6).
  package var isAwake = true
  /// Paths whose free space has been read since it was asked for; nil where every reading counts.
  var readPaths: Set<String>?
  package var now: WallInstant

  /// Every gate of `request`, met or not, in the order in which they are asked.
  package func verdicts(for request: RequestRecord) -> [GateVerdict] {
    findings(for: request).map(\.verdict)
  }

  /// The first gate that holds `request` back; nil when it may start.
  package func firstUnmet(for request: RequestRecord) -> GateVerdict? {
    findings(for: request).first { !$0.isMet }?.verdict
  }

  /// The gates in order; conditions before limits, because limits never fail a request (SB7).
  func findings(for request: RequestRecord) -> [GateFinding] {
    var findings: [GateFinding] = []
    findings.reserveCapacity(8)
    findings.append(.permission(isPermitted: definition != nil))
    findings.append(.switchedOff(whoSwitchedOff))
    let isReached = isFloorReached(of: request)
    if let floor = request.floor ?? (isReached ? nil : .earliestBegin) {
      findings.append(
        .floor(
          floor, since: request.submittedAt, until: request.notBefore, isReached: isReached))
    }
    if case .instant = request.origin, definition?.schedule?.followsCalendar == true {
      findings.append(.clock(isTrusted: isClockTrusted))
    }
    if let definition {
      let windowEnd = request.notBefore + definition.tolerance
      if !isAwake, isReached, windowEnd > now { findings.append(.window(until: windowEnd)) }
      findings += conditions(of: request, in: definition)
    }
    let twin = twin(of: request)
    findings.append(.twin(twin.map { GateFinding.Twin(run: $0.run, since: $0.startedAt) }))
    if twin == nil {
      findings.append(.maxRunning(running: ownRuns, limit: definition?.maxRunning ?? 1))
    }
    findings.append(
      .concurrency(SlotPool(for: request.kind), running: poolRuns, limit: poolLimit))
    return findings
  }

  /// A retry that lies further ahead than any delay of the job was dated by a clock that has been
  /// set back since: it has waited enough (LC9, PL10).
  private func isFloorReached(of request: RequestRecord) -> Bool {
    if request.notBefore <= now { return true }
    guard request.floor == .retryDelay, let retry = definition?.retry else { return false }
    return request.notBefore > now + max(retry.maxDelay, retry.initialDelay)
  }

  /// The verdict on each condition that the request or its job requires.
  private func conditions(of request: RequestRecord, in definition: JobDefinition)
    -> [GateFinding]
  {
    let required = definition.conditions.tightened(by: request.gateClass)
    guard required != ConditionRequirements() else { return [] }
    return required.verdicts(in: device, at: now).map { verdict in
      if verdict.condition == .minimumFreeSpace, let readPaths,
        !readPaths.contains(required.minimumFreeSpace?.path ?? "")
      {
        return .unread(.minimumFreeSpace)
      }
      return .condition(verdict)
    }
  }

  /// The first condition of the job itself that is known not to hold (SB7).
  func firstUnmetCondition(in definition: JobDefinition) -> Reason? {
    guard definition.conditions != ConditionRequirements() else { return nil }
    return definition.conditions.verdicts(in: device, at: now).first { verdict in
      guard !verdict.isMet else { return false }
      guard verdict.condition == .minimumFreeSpace, let readPaths else { return true }
      return readPaths.contains(definition.conditions.minimumFreeSpace?.path ?? "")
    }?.condition
  }

  /// The run with the request's key that hasn't ended (SB1).
  func twin(of request: RequestRecord) -> RunRecord? {
    live.first { $0.request.key == request.key }
  }

  private var whoSwitchedOff: GateFinding.Switch? {
    if let disabledSince { return .person(since: disabledSince) }
    return definition?.isEnabled == false ? .manifest : nil
  }
}

// In an extension, because the engine itself uses the memberwise initializer.
extension GateEvaluation {
  /// An evaluation from outside the engine, to which every published reading counts.
  package init(
    definition: JobDefinition?, disabledSince: WallInstant?, device: DeviceState,
    live: [RunRecord], ownRuns: Int, poolRuns: Int, poolLimit: Int, now: WallInstant
  ) {
    self.init(
      definition: definition, disabledSince: disabledSince, device: device, live: live,
      ownRuns: ownRuns, poolRuns: poolRuns, poolLimit: poolLimit, readPaths: nil, now: now)
  }
}
