internal import JobModel

/// One transaction under way: what is counted for the whole store, and what has been changed so far.
///
/// The database is locked for writing while it exists. Each transition checks everything before its
/// first statement, so a refused one has changed nothing; the unique indexes stand behind the checks.
///
/// The statements of each submission, claim and end say OR FAIL: whatever fails undoes the whole
/// transaction, so that SQLite need not keep a way back to before each single one.
struct StoreChange {
  let connection: SQLiteConnection
  private(set) var revision: Revision
  private var recordedTime: WallInstant
  private var lastRequest: Int64
  private var lastRun: Int64
  private var hasChanges = false
  private var changedJobs: [Int64: JobChange] = [:]
  /// The identifiers that its transitions named, refused ones too.
  private(set) var touched: Set<JobIdentifier> = []
  private var jobs: [JobIdentifier: Int64] = [:]
  private var hosts: [Fence: String] = [:]

  /// - Parameter now: moves the recorded time forward if anything is changed (PL15).
  init(_ connection: SQLiteConnection, at now: WallInstant) throws(SQLiteError) {
    self.connection = connection
    let counters = try connection.statement(
      "SELECT revision, recorded_at, last_request, last_run FROM store"
    ).first { row in
      (row.integer(0), row.optionalInteger(1), row.integer(2), row.integer(3))
    }
    guard let (revision, recordedAt, lastRequest, lastRun) = counters else {
      throw SQLiteError.missingRow
    }
    self.revision = Revision(revision)
    self.lastRequest = lastRequest
    self.lastRun = lastRun
    recordedTime = max(WallInstant(microseconds: recordedAt ?? .min), now)
  }

  mutating func apply(_ transition: Transition) throws(SQLiteError) -> Verdict {
    switch transition {
    case .submit(let submission): try submit(submission)
    case .recordInstants(let recording): try record(recording)
    case .claim(let claim): try self.claim(claim)
    case .begin(let start): try begin(start)
    case .release(let release): try self.release(release)
    case .beginExpiring(let warning): try beginExpiring(warning)
    case .end(let end): try self.end(end)
    case .stall(let recording): try stall(recording)
    case .goOnWaiting(let run): try goOnWaiting(for: run)
    case .requestStop(let stop): try requestStop(stop)
    case .cancel(let cancellation): try cancel(cancellation)
    case .close(let closing): try close(closing)
    case .decide(let request): try decide(request)
    case .switchJob(let jobSwitch): try switchJob(jobSwitch)
    case .progress(let recording): try progress(recording)
    case .prune(let identifier, let limit): try prune(identifier, endedBefore: limit)
    case .resetRecordedTime(let instant): resetRecordedTime(instant)
    }
  }

  /// Writes what was counted, if anything was changed.
  mutating func conclude() throws(SQLiteError) {
    guard hasChanges else { return }
    revision = Revision(revision.value + 1)
    for (job, change) in changedJobs {
      try change.write(to: job, revision: revision, connection)
    }
    try connection.statement(
      "UPDATE OR FAIL store SET revision = ?, recorded_at = ?, last_request = ?, last_run = ?"
    ).run(
      .integer(revision.value), .integer(recordedTime.microseconds), .integer(lastRequest),
      .integer(lastRun))
  }

  private mutating func resetRecordedTime(_ instant: WallInstant) -> Verdict {
    recordedTime = instant
    hasChanges = true
    return .applied(.done)
  }

  mutating func nextRequest() -> RequestID {
    lastRequest += 1
    return RequestID(lastRequest)
  }

  mutating func nextRun() -> RunNumber {
    lastRun += 1
    return RunNumber(lastRun)
  }

  mutating func touch(_ identifier: JobIdentifier) {
    touched.insert(identifier)
  }

  mutating func noteChange(of job: Int64) { note(of: job) { _ in } }

  /// Remembers the start of a run, which becomes the newest of its identifier.
  mutating func noteStart(at instant: WallInstant, of job: Int64) {
    note(of: job) { $0.lastStart = instant }
  }

  mutating func noteSuccess(at instant: WallInstant, of job: Int64) {
    note(of: job) { $0.lastSuccess = instant }
  }

  private mutating func note(of job: Int64, _ change: (inout JobChange) -> Void) {
    change(&changedJobs[job, default: JobChange()])
    hasChanges = true
  }

  /// The number of a known identifier.
  mutating func job(_ identifier: JobIdentifier) throws(SQLiteError) -> Int64? {
    if let known = jobs[identifier] { return known }
    let found = try connection.statement("SELECT id FROM job WHERE identifier = ?")
      .first(.text(identifier.text)) { $0.integer(0) }
    jobs[identifier] = found
    return found
  }

  /// The number of an identifier, which becomes known now if it wasn't.
  mutating func ensureJob(_ identifier: JobIdentifier) throws(SQLiteError) -> Int64 {
    if let known = try job(identifier) { return known }
    let new = try connection.statement(
      "INSERT INTO job (identifier, revision) VALUES (?, 0) RETURNING id"
    ).first(.text(identifier.text)) { $0.integer(0) }
    guard let new else { throw SQLiteError.missingRow }
    jobs[identifier] = new
    return new
  }

  /// The host of an owner that hasn't departed.
  mutating func host(of owner: Fence) throws(SQLiteError) -> String? {
    if let known = hosts[owner] { return known }
    let found = try connection.statement("SELECT host FROM owner WHERE fence = ?")
      .first(.integer(owner.value)) { $0.text(0) }
    hosts[owner] = found
    return found
  }

  /// Adds an ended row, which becomes the newest of its identifier.
  mutating func append(_ row: HistoryRow, of job: Int64) throws(SQLiteError) {
    try HistoryColumns.insert(row, of: job, into: connection)
    noteEnd(outcome: row.outcome, reason: row.reason, of: job)
  }

  /// Remembers what the newest ended row of an identifier says.
  mutating func noteEnd(outcome: Outcome, reason: Reason?, of job: Int64) {
    note(of: job) { $0.lastEnd = (outcome, reason) }
  }
}

/// What a transaction comes to for the row of one identifier: written once, however many of its runs
/// have started and ended in it.
private struct JobChange {
  var lastStart: WallInstant?
  var lastSuccess: WallInstant?
  var lastEnd: (outcome: Outcome, reason: Reason?)?

  func write(
    to job: Int64, revision: Revision, _ connection: SQLiteConnection
  ) throws(SQLiteError) {
    try connection.statement(
      """
      UPDATE OR FAIL job SET revision = ?, last_start = coalesce(?, last_start),
        last_success = coalesce(?, last_success), last_outcome = coalesce(?, last_outcome),
        last_reason = iif(?, ?, last_reason)
      WHERE id = ?
      """
    ).run(
      .integer(revision.value), SQLiteValue(lastStart?.microseconds),
      SQLiteValue(lastSuccess?.microseconds), SQLiteValue(lastEnd?.outcome.rawValue),
      SQLiteValue(lastEnd != nil), SQLiteValue(lastEnd?.reason?.rawValue), .integer(job))
  }
}
