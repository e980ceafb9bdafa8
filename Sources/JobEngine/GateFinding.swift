import JobModel

/// What was found at one gate; each case carries what its verdict is worded from (PL13).
enum GateFinding: Hashable, Sendable {
  /// Whether the manifest permits the identifier (SB11).
  case permission(isPermitted: Bool)
  /// Whether the job is on (SB10).
  case switchedOff(Switch?)
  /// The request's own floor (SB4, LC9, PL18).
  case floor(Reason, since: WallInstant, until: WallInstant, isReached: Bool)
  /// Whether the wall clock can be right (PL15).
  case clock(isTrusted: Bool)
  /// The window in which the runner may still wait for company (PL6); ends at the instant.
  case window(until: WallInstant)
  case condition(ConditionVerdict)
  /// A condition whose reading was asked for and hasn't come (PL1).
  case unread(Reason)
  /// A run with the same identifier and key (SB1).
  case twin(Twin?)
  case maxRunning(running: Int, limit: Int)
  case concurrency(SlotPool, running: Int, limit: Int)

  /// A run with the request's key.
  struct Twin: Hashable, Sendable {
    var run: RunNumber
    var since: WallInstant
  }

  /// Who switched a job off.
  enum Switch: Hashable, Sendable {
    case manifest
    case person(since: WallInstant)
  }

  var isMet: Bool {
    switch self {
    case .permission(let isPermitted): isPermitted
    case .switchedOff(let who): who == nil
    case .floor(_, _, _, let isReached): isReached
    case .clock(let isTrusted): isTrusted
    case .window: false
    case .condition(let verdict): verdict.isMet
    case .unread: false
    case .twin(let twin): twin == nil
    case .maxRunning(let running, let limit), .concurrency(_, let running, let limit):
      running < limit
    }
  }

  var gate: Reason {
    switch self {
    case .permission: .notPermitted
    case .switchedOff: .disabled
    case .floor(let reason, _, _, _): reason
    case .clock: .clock
    case .window: .tolerance
    case .condition(let verdict): verdict.condition
    case .unread(let condition): condition
    case .twin, .maxRunning: .maxRunning
    case .concurrency: .concurrency
    }
  }

  /// The finding as people and other programs get it.
  var verdict: GateVerdict {
    switch self {
    case .permission(let isPermitted):
      made(
        value: isPermitted ? "in the manifest" : "not in the manifest",
        opens: "an entry in the manifest, and a reload")
    case .switchedOff(nil): made(value: "enabled")
    case .switchedOff(.manifest):
      made(value: "enabled: false in the manifest", opens: "enabled: true in the manifest")
    case .switchedOff(.person(let since)):
      made(since: since, value: "switched off by a person", opens: "bgrun enable")
    case .floor(let reason, let since, let instant, let isReached):
      made(
        since: isReached ? nil : since,
        value: isReached ? "reached" : Self.wording(ofFloor: reason), opens: "time",
        opensAt: isReached ? nil : instant)
    case .clock(let isTrusted):
      made(
        value: isTrusted ? "plausible" : "the wall clock can't be right",
        opens: "a clock that is right, synchronised, or steady for an hour")
    case .window(let end):
      made(value: "waiting for company", opens: "the next wake-up of the runner", opensAt: end)
    case .condition(let found):
      made(
        since: found.since, value: found.value, opens: found.opens, opensAt: found.opensAt)
    case .unread: made(value: "being read", opens: "the first reading")
    case .twin(nil): made(value: "its key isn't running")
    case .twin(.some(let twin)):
      made(
        since: twin.since, value: "run \(twin.run) has the same key",
        opens: "the end of run \(twin.run)")
    case .maxRunning(let running, let limit):
      made(value: "\(running) of \(limit) running", opens: "the end of one of its runs")
    case .concurrency(_, let running, let limit):
      made(value: "\(running) of \(limit) places taken", opens: "the end of a run")
    }
  }

  private static func wording(ofFloor reason: Reason) -> String {
    if reason == .retryDelay { return "waiting for the retry" }
    return reason == .randomDelay ? "held back by randomDelay" : "not before its date"
  }

  private func made(
    since: WallInstant? = nil, value: String, opens: String = "", opensAt: WallInstant? = nil
  ) -> GateVerdict {
    GateVerdict(
      gate: gate, isMet: isMet, since: since, value: value, opens: isMet ? "" : opens,
      opensAt: isMet ? nil : opensAt)
  }
}
