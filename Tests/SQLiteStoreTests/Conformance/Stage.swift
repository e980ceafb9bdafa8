import JobModel
import Testing

extension WallInstant {
  /// 2026-01-01T12:00:00Z.
  static let noon = WallInstant(seconds: 1_767_268_800)
}

extension Duration {
  /// Patience where several write at once on a disk that others use too.
  static let longer = Duration.seconds(120)
}

extension JobIdentifier {
  static let thumbnails = JobIdentifier("com.example.thumbnails")
  static let backup = JobIdentifier("com.example.backup")
}

extension Submission {
  /// A processing request of `thumbnails` at noon.
  static func of(
    _ identifier: JobIdentifier = .thumbnails, key: String = "", after delay: Duration = .zero
  ) -> Submission {
    var submission = Submission(identifier: identifier, kind: .processing, submittedAt: .noon)
    submission.key = key
    submission.notBefore = .noon + delay
    return submission
  }

  static func instant(_ instant: WallInstant, of identifier: JobIdentifier = .backup) -> Submission
  {
    var submission = Submission.of(identifier)
    submission.origin = .instant(instant)
    submission.notBefore = instant
    return submission
  }
}

extension RunEnd {
  static func of(
    _ run: RunNumber, by owner: Owner, outcome: Outcome = .succeeded, reason: Reason? = nil,
    next: Disposition = .final
  ) -> RunEnd {
    RunEnd(
      run: run, owner: owner.fence, endedAt: .noon + .seconds(60), outcome: outcome,
      reason: reason, next: next)
  }
}

extension JobStore {
  /// Commits one transition at noon.
  func propose(_ transition: Transition) throws -> Verdict {
    try #require(commit([transition], at: .noon, headLimit: 8).verdicts.first)
  }

  func submit(_ submission: Submission) throws -> RequestID {
    guard case .applied(.submitted(let id, _)) = try propose(.submit(submission)) else {
      throw Unexpected("the submission wasn't applied")
    }
    return id
  }

  func claim(
    _ request: RequestID, by owner: Owner, of identifier: JobIdentifier = .thumbnails
  ) throws -> RunNumber {
    let claim = Claim(
      request: request, identifier: identifier, owner: owner.fence, startedAt: .noon)
    guard case .applied(.claimed(let run)) = try propose(.claim(claim)) else {
      throw Unexpected("the claim wasn't applied")
    }
    return run
  }

  func snapshot(of identifier: JobIdentifier = .thumbnails) throws -> JobSnapshot {
    try #require(try snapshots(of: [identifier], headLimit: 8).first)
  }
}

struct Unexpected: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
