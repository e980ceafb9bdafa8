internal import JobModel
internal import SQLiteStore

/// The store's rates at synchronous=FULL beside raw SQLite in the same run.
struct StoreBenchmark {
  let directory: String
  let jobs: Int

  private static let identifier = JobIdentifier("com.example.bench")
  private static let now = WallInstant(seconds: 1_767_268_800)
  private static let group = 64

  func run() throws {
    let floor = try rawThreeTransactions()
    report("raw SQLite, three transactions a job", jobs, in: floor)
    let single = try submitClaimEnd(grouped: 1)
    report("submit, claim, end: one at a time", jobs, in: single.all, against: floor)
    report("claim, end: one at a time", jobs, in: single.runs, against: floor)
    let grouped = try submitClaimEnd(grouped: Self.group)
    report("submit, claim, end: \(Self.group) at a time", jobs, in: grouped.all, against: floor)
    report("claim, end: \(Self.group) at a time", jobs, in: grouped.runs, against: floor)
  }

  /// What a plain queue does: insert, take the first, mark it as done, each a transaction.
  func rawThreeTransactions() throws -> Duration {
    let database = try SQLiteConnection(
      path: "\(directory)/raw.db", mode: .create, patience: .zero)
    try database.execute(
      """
      PRAGMA journal_mode = wal;
      PRAGMA synchronous = FULL;
      CREATE TABLE job (id INTEGER PRIMARY KEY, state INTEGER, payload TEXT);
      CREATE INDEX state ON job (state, id);
      """)
    let payload = SQLiteValue.text(String(repeating: "x", count: 50))
    let insert = try database.statement("INSERT INTO job (state, payload) VALUES (0, ?)")
    let take = try database.statement(
      """
      UPDATE job SET state = 1
      WHERE id = (SELECT id FROM job WHERE state = 0 ORDER BY id LIMIT 1) RETURNING id
      """)
    let end = try database.statement("UPDATE job SET state = 2 WHERE id = ?")
    return try ContinuousClock().measure {
      for _ in 0..<jobs { try insert.run(payload) }
      for _ in 0..<jobs {
        guard let job = try take.all(read: { $0.integer(0) }).first else { return }
        try end.run(.integer(job))
      }
    }
  }

  /// Every job from its submission to its recorded end, and the part from the claim on.
  private func submitClaimEnd(grouped size: Int) throws -> (all: Duration, runs: Duration) {
    let store = try SQLiteStore(path: "\(directory)/grouped-\(size)")
    let owner = try store.join(host: "bench", processID: 0, at: Self.now)
    let clock = ContinuousClock()
    let start = clock.now
    for first in stride(from: 0, to: jobs, by: size) {
      let batch = (first..<min(first + size, jobs)).map { number in
        var submission = Submission(
          identifier: Self.identifier, kind: .processing, submittedAt: Self.now)
        submission.key = "\(number)"
        return Transition.submit(submission)
      }
      _ = store.commit(batch, at: Self.now, headLimit: 0)
    }
    let submitted = clock.now
    var heads = try store.snapshots(of: [Self.identifier], headLimit: size).first?.heads ?? []
    while !heads.isEmpty {
      let claims = heads.map { head in
        Transition.claim(
          Claim(
            request: head.id, identifier: Self.identifier, owner: owner.fence, startedAt: Self.now))
      }
      let claimed = store.commit(claims, at: Self.now, headLimit: size)
      let ends = claimed.verdicts.compactMap { verdict -> Transition? in
        guard case .applied(.claimed(let run)) = verdict else { return nil }
        return .end(
          RunEnd(
            run: run, owner: owner.fence, endedAt: Self.now, outcome: .succeeded, next: .final))
      }
      heads = store.commit(ends, at: Self.now, headLimit: size).snapshots.first?.heads ?? []
    }
    return (clock.now - start, clock.now - submitted)
  }

  private func report(
    _ what: String, _ count: Int, in duration: Duration, against floor: Duration? = nil
  ) {
    let rate = Int(Double(count) / duration.inSeconds)
    let comparison = floor.map { " (\(ratio($0.inSeconds / duration.inSeconds)) × raw)" } ?? ""
    print("\(what): \(rate) jobs/s\(comparison)")
  }

  private func ratio(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
