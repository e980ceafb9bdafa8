internal import JobModel

/// Transitions of requests that don't run.
extension StoreChange {
  /// SB1, SB2, PL16.
  mutating func submit(_ submission: Submission) throws(SQLiteError) -> Verdict {
    touch(submission.identifier)
    let known = try job(submission.identifier)
    if let instant = submission.origin.nominalInstant, let known {
      guard try !isRecorded(instant, of: known) else { return .refused(.instantExists) }
    }
    var replaced: RequestRecord?
    if submission.origin == .submission, let known {
      replaced = try connection.statement(Self.unstartedText)
        .first(.integer(known), .text(submission.key)) {
          RequestColumns.read($0, of: submission.identifier)
        }
    }
    if let limit = submission.pendingLimit {
      let pending = try pendingCount(of: submission.kind)
      let remaining = replaced?.kind == submission.kind ? pending - 1 : pending
      guard remaining < limit else { return .refused(.tooManyPending(pending)) }
    }
    let job = try ensureJob(submission.identifier)
    if let replaced {
      try closeWithoutRun(
        replaced, of: job, outcome: .cancelled, reason: .replaced, detail: nil,
        at: submission.submittedAt)
    }
    let id = try store(submission, of: job)
    noteChange(of: job)
    return .applied(.submitted(id, replaced: replaced?.id))
  }

  /// SB7, PL17.
  mutating func close(_ closing: RequestClosing) throws(SQLiteError) -> Verdict {
    guard let (job, request) = try pendingRequest(closing.request) else {
      return .refused(.notPending)
    }
    try closeWithoutRun(
      request, of: job, outcome: closing.outcome, reason: closing.reason, detail: closing.detail,
      at: closing.at)
    noteChange(of: job)
    return .applied(.done)
  }

  /// SB7.
  mutating func decide(_ id: RequestID) throws(SQLiteError) -> Verdict {
    guard let (job, request) = try pendingRequest(id) else { return .refused(.notPending) }
    let queue = QueueNumber(request.gateClass, key: request.key).decided
    try connection.statement("UPDATE request SET queue = ? WHERE id = ?")
      .run(.integer(queue.value), .integer(id.value))
    noteChange(of: job)
    return .applied(.done)
  }

  /// The request and its job's number, when it is pending; its identifier counts as touched in any
  /// case.
  mutating func pendingRequest(
    _ id: RequestID
  ) throws(SQLiteError) -> (job: Int64, request: RequestRecord)? {
    let found = try connection.statement(Self.requestText).first(.integer(id.value)) { row in
      let identifier = JobIdentifier(row.text(RequestColumns.count))
      return (
        job: row.integer(RequestColumns.count + 1),
        isRunning: row.isTrue(RequestColumns.count + 2),
        request: RequestColumns.read(row, of: identifier)
      )
    }
    guard let found else { return nil }
    touch(found.request.identifier)
    return found.isRunning ? nil : (found.job, found.request)
  }

  /// Adds a request; the caller has checked what arbitrates it.
  @discardableResult
  mutating func store(_ submission: Submission, of job: Int64) throws(SQLiteError) -> RequestID {
    let request = RequestRecord(id: nextRequest(), submission)
    let nominal = request.origin.nominalInstant?.microseconds
    if let nominal {
      try connection.statement("INSERT INTO recorded_instant (job, instant) VALUES (?, ?)")
        .run(.integer(job), .integer(nominal))
    }
    try connection.statement(
      """
      INSERT OR FAIL INTO request (id, job, key, kind, origin, nominal_instant, submitted_at,
        not_before, floor, queue, attempt, starts, returns_in_row, parameters, title, subtitle,
        is_user_initiated, is_running)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
      """
    ).run(
      .integer(request.id.value), .integer(job), .text(request.key), .text(request.kind.rawValue),
      .text(RequestColumns.name(of: request.origin)), SQLiteValue(nominal),
      .integer(request.submittedAt.microseconds), .integer(request.notBefore.microseconds),
      SQLiteValue(request.floor?.rawValue),
      .integer(QueueNumber(request.gateClass, key: request.key).value),
      .integer(Int64(request.attempt)), .integer(Int64(request.starts)),
      .integer(Int64(request.returnsInRow)), SQLiteValue(request.parameters),
      SQLiteValue(request.title), SQLiteValue(request.subtitle),
      SQLiteValue(request.isUserInitiated))
    return request.id
  }

  func isRecorded(_ instant: WallInstant, of job: Int64) throws(SQLiteError) -> Bool {
    try connection.statement("SELECT 1 FROM recorded_instant WHERE job = ? AND instant = ?")
      .first(.integer(job), .integer(instant.microseconds)) { _ in true } ?? false
  }

  func removeRequest(_ id: RequestID) throws(SQLiteError) {
    try connection.statement("DELETE FROM request WHERE id = ?").run(.integer(id.value))
  }

  mutating func closeWithoutRun(
    _ request: RequestRecord, of job: Int64, outcome: Outcome, reason: Reason, detail: String?,
    at instant: WallInstant
  ) throws(SQLiteError) {
    try removeRequest(request.id)
    try append(
      HistoryRow(
        sequence: 0, closing: request, outcome: outcome, reason: reason, detail: detail,
        at: instant), of: job)
  }

  /// Reads the kept counts: one row for each identifier, whatever is pending.
  private func pendingCount(of kind: JobKind) throws(SQLiteError) -> Int {
    let column =
      switch kind {
      case .appRefresh: "pending_app_refresh"
      case .processing: "pending_processing"
      case .continuedProcessing: "pending_continued"
      }
    return try connection.statement("SELECT total(\(column)) FROM job")
      .first { Int($0.integer(0)) } ?? 0
  }

  static let unstartedText = """
    SELECT \(RequestColumns.list) FROM request
    WHERE job = ? AND key = ? AND origin = 'submission' AND starts = 0
    """

  static let requestText = """
    SELECT \(RequestColumns.list), job.identifier, request.job, request.is_running
    FROM request JOIN job ON job.id = request.job WHERE request.id = ?
    """
}
