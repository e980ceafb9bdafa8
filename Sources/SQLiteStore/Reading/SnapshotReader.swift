internal import JobModel

/// Reads identifiers as they are now, at a cost that doesn't grow with what is pending: counts are
/// kept, and heads are read from the front of an index.
struct SnapshotReader {
  let connection: SQLiteConnection

  func snapshot(
    of identifier: JobIdentifier, headLimit: Int, revision: Revision
  ) throws(SQLiteError) -> JobSnapshot {
    var snapshot = JobSnapshot(
      identifier: identifier, record: JobRecord(identifier: identifier), revision: revision)
    let found = try connection.statement(
      """
      SELECT id, anchor, schedule_fingerprint, last_start, last_success, last_outcome,
        last_reason, disabled_since, pending_app_refresh + pending_processing + pending_continued
      FROM job WHERE identifier = ?
      """
    ).first(.text(identifier.text)) { row in
      snapshot.record.anchor = instant(row.optionalInteger(1))
      snapshot.record.scheduleFingerprint = row.optionalText(2)
      snapshot.record.lastStart = instant(row.optionalInteger(3))
      snapshot.record.lastSuccess = instant(row.optionalInteger(4))
      snapshot.record.lastOutcome = row.optionalText(5).flatMap { Outcome(rawValue: $0) }
      snapshot.record.lastReason = row.optionalText(6).flatMap { Reason(rawValue: $0) }
      snapshot.record.disabledSince = instant(row.optionalInteger(7))
      snapshot.pendingCount = Int(row.integer(8))
      return row.integer(0)
    }
    guard let job = found else { return snapshot }
    snapshot.live = try liveRuns(of: job, identifier)
    let isEmptyKeyRunning = snapshot.live.contains { $0.request.key.isEmpty }
    let queues = try queues(of: job).filter { !($0.hasEmptyKey && isEmptyKeyRunning) }
    for queue in queues {
      snapshot.heads += try heads(of: job, identifier, queue: queue, limit: headLimit)
    }
    if queues.count > 1 {
      snapshot.heads = firstOfEachClass(snapshot.heads, limit: headLimit)
    }
    return snapshot
  }

  func liveRuns(
    of job: Int64, _ identifier: JobIdentifier
  ) throws(SQLiteError) -> [RunRecord] {
    try connection.statement(Self.liveRunsText)
      .all(.integer(job)) { RunColumns.read($0, of: identifier) }
      .sorted { $0.run < $1.run }
  }

  /// The queues in which something is pending, found by skipping from one to the next.
  func queues(of job: Int64) throws(SQLiteError) -> [QueueNumber] {
    let next = try connection.statement(Self.nextQueueText)
    var queues: [QueueNumber] = []
    while let queue = try next.first(
      .integer(job), .integer(queues.last?.value ?? -1), read: { QueueNumber($0.integer(0)) })
    {
      queues.append(queue)
    }
    return queues
  }

  /// The first requests of a queue in due order, those whose key is running too.
  func front(
    of job: Int64, _ identifier: JobIdentifier, queue: QueueNumber, limit: Int
  ) throws(SQLiteError) -> [RequestRecord] {
    try connection.statement(Self.frontText)
      .all(.integer(job), .integer(queue.value), .integer(Int64(limit))) {
        RequestColumns.read($0, of: identifier)
      }
  }

  private func heads(
    of job: Int64, _ identifier: JobIdentifier, queue: QueueNumber, limit: Int
  ) throws(SQLiteError) -> [RequestRecord] {
    try connection.statement(Self.headsText)
      .all(.integer(job), .integer(queue.value), .integer(Int64(limit))) {
        RequestColumns.read($0, of: identifier)
      }
  }

  /// Joins the two queues of each gate class, the empty key's and the other keys'.
  private func firstOfEachClass(_ heads: [RequestRecord], limit: Int) -> [RequestRecord] {
    var taken: [GateClass: Int] = [:]
    return heads.sorted(by: RequestRecord.isDueEarlier).filter { request in
      taken[request.gateClass, default: 0] += 1
      return taken[request.gateClass, default: 0] <= limit
    }
  }

  private func instant(_ microseconds: Int64?) -> WallInstant? {
    microseconds.map { WallInstant(microseconds: $0) }
  }

  static let liveRunsText = """
    SELECT \(RunColumns.list) FROM run JOIN request ON request.id = run.request
    WHERE run.job = ?
    """

  static let nextQueueText = """
    SELECT queue FROM request WHERE job = ? AND is_running = 0 AND queue > ?
    ORDER BY queue LIMIT 1
    """

  static let frontText = """
    SELECT \(RequestColumns.list) FROM request
    WHERE job = ? AND queue = ? AND is_running = 0 ORDER BY not_before, id LIMIT ?
    """

  static let headsText = """
    SELECT \(RequestColumns.list) FROM request
    WHERE job = ? AND queue = ? AND is_running = 0
      AND NOT EXISTS (SELECT 1 FROM run WHERE run.job = request.job AND run.key = request.key)
    ORDER BY not_before, id LIMIT ?
    """
}
