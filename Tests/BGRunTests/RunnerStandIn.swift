import JobModel
import SQLiteStore
import Testing

/// What a runner does to a store, step by step, on the test's own thread.
final class RunnerStandIn {
  let store: SQLiteStore
  private(set) var owner: Owner
  private let now: WallInstant

  init(
    _ store: SQLiteStore, processID: Int32 = 4242, at now: WallInstant = Bench.start
  ) throws {
    self.store = store
    self.now = now
    owner = try store.join(host: "box", processID: processID, at: now)
  }

  @discardableResult
  func propose(_ transition: Transition) throws -> Verdict.Applied {
    let verdict = store.commit([transition], at: now, headLimit: 1).verdicts.first
    guard case .applied(let applied)? = verdict else {
      throw Refused(verdict: verdict)
    }
    return applied
  }

  struct Refused: Error {
    var verdict: Verdict?
  }

  @discardableResult
  func submit(
    _ identifier: String, key: String = "", kind: JobKind = .processing
  ) throws -> RequestID {
    var submission = Submission(
      identifier: JobIdentifier(identifier), kind: kind, submittedAt: now - .seconds(60))
    submission.key = key
    guard case .submitted(let request, _) = try propose(.submit(submission)) else {
      throw Refused()
    }
    return request
  }

  /// Starts the first pending request of a job, or claims it ahead of its start.
  @discardableResult
  func claim(_ identifier: String, ahead isLease: Bool = false) throws -> RunNumber {
    let request = try #require(
      try store.pending(of: JobIdentifier(identifier), limit: 1).first)
    let claim = Claim(
      request: request.id, identifier: request.identifier, owner: owner.fence,
      startedAt: now - .seconds(5), isLease: isLease)
    guard case .claimed(let run) = try propose(.claim(claim)) else { throw Refused() }
    return run
  }

  func progress(_ run: RunNumber, _ fraction: Double, subtitle: String? = nil) throws {
    try propose(
      .progress(
        ProgressRecording(
          run: run, owner: owner.fence, fraction: fraction, title: nil, subtitle: subtitle)))
  }

  func stall(_ run: RunNumber, since: WallInstant?) throws {
    try propose(.stall(StallRecording(run: run, owner: owner.fence, since: since)))
  }

  /// What the store says of a live run.
  func live(_ run: RunNumber) throws -> RunRecord {
    try #require(
      try store.snapshots(of: nil, headLimit: 1).flatMap(\.live).first { $0.run == run })
  }

  func end(
    _ run: RunNumber, _ outcome: Outcome, _ reason: Reason? = nil, detail: String? = nil,
    exitStatus: Int32? = nil,
    next: RunEnd.Disposition = .final
  ) throws {
    var ending = RunEnding()
    ending.exitStatus = exitStatus
    try propose(
      .end(
        RunEnd(
          run: run, owner: owner.fence, endedAt: now, outcome: outcome, reason: reason,
          detail: detail, ending: ending, next: next)))
  }

  func leave() throws {
    try store.leave(owner)
  }
}
