import JobModel

/// How a run ended and what becomes of its request, decided from the facts alone (ST4, ST5, LC9).
struct Ending: Hashable, Sendable {
  var outcome: Outcome
  var reason: Reason?
  var detail: String?
  var next: RunEnd.Disposition

  /// What happened, as the host or the store told it.
  enum Happening: Hashable, Sendable {
    /// Its processes are gone.
    case processesEnded(RunEnding)
    /// Nothing was started; the sentence says why.
    case launchFailed(String)
    /// A claim came back when the engine was already stopping: nothing was launched.
    case neverLaunched
    /// The owner died with it (DU2).
    case ownerLost
  }

  /// Why a run was warned.
  struct Expiration: Hashable, Sendable {
    var reason: Reason
    var detail: String?
  }

  /// What a run's end is decided from.
  struct Facts: Hashable, Sendable {
    var request: RequestRecord
    var retry: RetryPolicy
    var startedAt: WallInstant
    var endedAt: WallInstant
    /// Nil when it wasn't warned.
    var expiration: Expiration?
    var happening: Happening
    /// Whether the manifest still permits the identifier; otherwise retries stop (SB11).
    var isPermitted = true
    /// 0…1, from a stable hash: LC9's jitter.
    var jitter = 0.0
  }
}

extension Ending.Happening {
  /// Whether nothing follows that a retry's delay would be worked out for.
  var needsNoDelay: Bool {
    switch self {
    case .processesEnded(let ending): ending.hasSucceeded
    case .launchFailed, .neverLaunched, .ownerLost: false
    }
  }

  /// Whether the host has warned it of its time limit.
  var hasReachedLimit: Bool {
    switch self {
    case .processesEnded(let ending): ending.hasReachedLimit
    case .launchFailed, .neverLaunched, .ownerLost: false
    }
  }
}

extension RunEnding {
  /// What a handler said of its end counts, not what its process did afterwards.
  fileprivate var hasSucceeded: Bool {
    switch completion {
    case .succeeded: true
    case .failed: false
    case nil: exitStatus == 0 && signal == nil && !wasKilled
    }
  }
}

/// Exit status by which a program asks to be put back: EX_TEMPFAIL (LC9).
private let putBackStatus: Int32 = 75

extension Ending {
  init(of facts: Facts) {
    switch facts.happening {
    case .processesEnded(let ending):
      self = Self.ofProcesses(ending, facts)
    case .launchFailed(let sentence):
      self = Ending(
        outcome: .failed, reason: .launchFailed, detail: sentence,
        next: Self.afterUsedAttempt(facts))
    case .neverLaunched:
      self = Ending(
        outcome: .interrupted, reason: .shutdown, detail: "stopped before the launch",
        next: Self.afterReturn(facts))
    case .ownerLost:
      self = Ending(
        outcome: .interrupted, reason: .ownerLost, detail: nil, next: Self.afterReturn(facts))
    }
  }

  /// A run that its dead owner had claimed ahead and, as far as the store knows, not started: it has
  /// waited as if it had, and loses neither an attempt nor one of its returns (DU2, LC9).
  static func ofLostLease(_ facts: Facts) -> Ending {
    let request = facts.request
    return Ending(
      outcome: .interrupted, reason: .ownerLost, detail: "claimed ahead, may not have started",
      next: .again(
        notBefore: max(facts.endedAt, facts.startedAt + facts.retry.initialDelay),
        floor: .retryDelay, attempt: request.attempt, returnsInRow: request.returnsInRow))
  }

  private static func ofProcesses(_ ending: RunEnding, _ facts: Facts) -> Ending {
    if ending.hasSucceeded {
      // ST4: success after the warning is success; the reason is kept.
      return Ending(
        outcome: .succeeded, reason: facts.expiration?.reason, detail: facts.expiration?.detail,
        next: .final)
    }
    if let expiration = facts.expiration {
      return afterWarning(expiration, ending, facts)
    }
    if case .failed(let reason, let detail) = ending.completion {
      return Ending(
        outcome: .failed, reason: reason, detail: detail, next: afterUsedAttempt(facts))
    }
    let wantsReturn = ending.exitStatus == putBackStatus
    if let signal = ending.signal {
      return Ending(
        outcome: .crashed, reason: .handlerSignalled, detail: signalName(signal),
        next: afterUsedAttempt(facts))
    }
    let status = ending.exitStatus.map { "exit status \($0)" }
    return Ending(
      outcome: .failed, reason: .handlerExited,
      detail: wantsReturn ? "exit status 75 (put back)" : status,
      next: wantsReturn ? afterReturn(facts) : afterUsedAttempt(facts))
  }

  private static func afterWarning(
    _ expiration: Expiration, _ ending: RunEnding, _ facts: Facts
  ) -> Ending {
    let killed = ending.wasKilled ? "SIGKILL was needed" : nil
    if expiration.reason == .userCancelled {
      return Ending(
        outcome: .cancelled, reason: .userCancelled, detail: killed ?? expiration.detail,
        next: .final)
    }
    let isReturn =
      Reason.returning.contains(expiration.reason) || ending.exitStatus == putBackStatus
    let next = isReturn ? afterReturn(facts) : afterUsedAttempt(facts)
    if expiration.reason == .shutdown {
      return Ending(
        outcome: .interrupted, reason: .shutdown, detail: killed ?? expiration.detail, next: next)
    }
    return Ending(
      outcome: ending.wasKilled ? .terminated : .expired, reason: expiration.reason,
      detail: expiration.detail, next: next)
  }

  /// An attempt is used up: the next one after the retry's delay, or none (LC9).
  private static func afterUsedAttempt(_ facts: Facts) -> RunEnd.Disposition {
    let request = facts.request
    guard mayRepeat(facts), facts.isPermitted, request.attempt < facts.retry.maxAttempts else {
      return .final
    }
    let delay = facts.retry.delay(after: request.attempt, fraction: facts.jitter)
    return .again(
      notBefore: facts.endedAt + delay, floor: .retryDelay, attempt: request.attempt + 1,
      returnsInRow: 0)
  }

  /// The request goes back to pending and keeps its attempt, three times in a row (LC9).
  private static func afterReturn(_ facts: Facts) -> RunEnd.Disposition {
    let request = facts.request
    guard mayRepeat(facts) else { return .final }
    let usesAttempt = request.returnsInRow >= 3
    if usesAttempt, request.attempt >= facts.retry.maxAttempts { return .final }
    // At least `retry.initialDelay` between two starts keeps a condition that flickers, or a
    // program that always asks to be put back, from spinning.
    return .again(
      notBefore: max(facts.endedAt, facts.startedAt + facts.retry.initialDelay),
      floor: .retryDelay, attempt: request.attempt + (usesAttempt ? 1 : 0),
      returnsInRow: request.returnsInRow + 1)
  }

  /// `run --now` has one attempt (PL19).
  private static func mayRepeat(_ facts: Facts) -> Bool { !facts.request.gateClass.isImmediate }
}
