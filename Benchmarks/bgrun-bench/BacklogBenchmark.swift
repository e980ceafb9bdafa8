internal import JobModel
internal import SQLiteStore

/// The cost of a claim, with the heads that come back, among few and among very many pending keys of
/// one identifier.
struct BacklogBenchmark {
  let directory: String

  private static let identifier = JobIdentifier("com.example.bench")
  private static let now = WallInstant(seconds: 1_767_268_800)

  func run() throws {
    let few = try claimAmong(pending: 1000)
    let many = try claimAmong(pending: 1_000_000)
    let ratio = (many.inSeconds / few.inSeconds * 100).rounded() / 100
    print("claim and heads among 1,000 pending: \(few.microseconds) µs")
    print("claim and heads among 1,000,000 pending: \(many.microseconds) µs (\(ratio) ×)")
  }

  /// The median time of a claim.
  private func claimAmong(pending count: Int) throws -> Duration {
    let store = try SQLiteStore(path: "\(directory)/pending-\(count)")
    let owner = try store.join(host: "bench", processID: 0, at: Self.now)
    for first in stride(from: 0, to: count, by: 10_000) {
      let batch = (first..<min(first + 10_000, count)).map { number in
        var submission = Submission(
          identifier: Self.identifier, kind: .processing, submittedAt: Self.now)
        submission.key = "key-\(number)"
        return Transition.submit(submission)
      }
      _ = store.commit(batch, at: Self.now, headLimit: 0)
    }
    var heads = try store.snapshots(of: [Self.identifier], headLimit: 32).first?.heads ?? []
    var times: [Duration] = []
    let clock = ContinuousClock()
    for _ in 0..<500 {
      guard let head = heads.first else { break }
      let start = clock.now
      let claim = Claim(
        request: head.id, identifier: Self.identifier, owner: owner.fence, startedAt: Self.now)
      let claimed = store.commit([.claim(claim)], at: Self.now, headLimit: 32)
      guard case .applied(.claimed(let run))? = claimed.verdicts.first else { break }
      times.append(clock.now - start)
      let end = RunEnd(
        run: run, owner: owner.fence, endedAt: Self.now, outcome: .succeeded, next: .final)
      heads = store.commit([.end(end)], at: Self.now, headLimit: 32).snapshots.first?.heads ?? []
    }
    return times.sorted()[times.count / 2]
  }
}
