import JobModel
import Testing

@testable import SQLiteStore

@Suite("SQLite: the schema decides by itself") struct SchemaTests {
  /// A store with a pending, a running and an ended request, whatever a program tries next.
  private func usedStore() throws -> SQLiteStore {
    let store = try SQLiteStore(path: TemporaryFolder().path)
    let owner = try store.join(host: "here", processID: 1, at: .noon)
    let ended = try store.claim(try store.submit(.of(key: "ended")), by: owner)
    _ = try store.propose(.end(.of(ended, by: owner)))
    _ = try store.claim(try store.submit(.of(key: "running")), by: owner)
    _ = try store.submit(.of(key: "waiting"))
    var recording = InstantRecording(
      identifier: .thumbnails, expectedAnchor: nil, newAnchor: .noon, scheduleFingerprint: "daily",
      recordedAt: .noon)
    recording.requests = [.instant(.noon, of: .thumbnails)]
    _ = try store.propose(.recordInstants(recording))
    return store
  }

  @Test(arguments: [
    (
      "SB1: a second unstarted submission of a key",
      """
      INSERT INTO request SELECT id + 100, job, key, kind, origin, nominal_instant, submitted_at,
        not_before, floor, queue, attempt, starts, returns_in_row, parameters, title, subtitle,
        is_user_initiated, is_running FROM request WHERE key = 'waiting'
      """
    ),
    (
      "SB1: a second run of a key",
      """
      INSERT INTO run (number, request, job, key, owner, host, started_at)
      SELECT number + 100, request, job, key, owner, host, started_at FROM run
      """
    ),
    (
      "PL11: an instant for the second time",
      "INSERT INTO recorded_instant SELECT job, instant FROM recorded_instant"
    ),
    (
      "ST1: a second end of a run",
      """
      INSERT INTO history (run, job, key, attempt, ended_at, outcome, count, was_killed)
      SELECT run, job, key, attempt, ended_at, outcome, count, was_killed FROM history
      WHERE run IS NOT NULL
      """
    ),
    ("a second row of what is counted", "INSERT INTO store SELECT 2, 0, 0, 0, 0, 0, 0"),
    (
      "a submission with a nominal instant",
      "UPDATE request SET nominal_instant = 1 WHERE origin = 'submission'"
    ),
  ])
  func `the tables refuse`(_ what: String, _ text: String) throws {
    let store = try usedStore()
    let error = try #require(throws: SQLiteError.self) { try store.connection.execute(text) }
    #expect(error.message.contains("constraint failed"), "\(what): \(error.message)")
  }

  @Test(
    arguments: [
      "ALTER TABLE owner DROP COLUMN is_retired; PRAGMA user_version = 4",
      """
      ALTER TABLE owner DROP COLUMN is_retired; ALTER TABLE run DROP COLUMN is_leased;
      PRAGMA user_version = 3
      """,
      """
      ALTER TABLE owner DROP COLUMN is_retired; ALTER TABLE run DROP COLUMN is_leased;
      ALTER TABLE run DROP COLUMN stalled_since; PRAGMA user_version = 2
      """,
    ])
  func `a store of an earlier form is brought up to date with what runs in it`(
    stepsBack: String
  ) throws {
    let folder = try TemporaryFolder()
    let old = try SQLiteStore(path: folder.path)
    let owner = try old.join(host: "here", processID: 1, at: .noon)
    let run = try old.claim(try old.submit(.of()), by: owner)
    try old.connection.execute(stepsBack)
    let store = try SQLiteStore(path: folder.path)
    #expect(try store.snapshot().live.map(\.stalledSince) == [nil])
    #expect(try store.snapshot().live.map(\.isLeased) == [false])
    #expect(try store.owners().map(\.isRetired) == [false])
    let stall = StallRecording(run: run, owner: owner.fence, since: .noon)
    #expect(try store.propose(.stall(stall)) == .applied(.done))
    #expect(try store.snapshot().live.map(\.stalledSince) == [.noon])
  }

  @Test func `the kept counts are those of the rows`() throws {
    let store = try usedStore()
    let kept = try store.snapshot().pendingCount
    let counted = try store.connection.statement(
      "SELECT count(*) FROM request WHERE is_running = 0"
    ).first { Int($0.integer(0)) }
    #expect(kept == 2)
    #expect(counted == kept)
    try store.connection.execute("DELETE FROM request WHERE key = 'waiting'")
    #expect(try store.snapshot().pendingCount == 1)
  }
}
