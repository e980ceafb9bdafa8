internal import JobModel

/// An ended row as columns, in one order for writing and reading.
enum HistoryColumns {
  static let list = """
    history.sequence, history.run, history.key, history.attempt, history.submitted_at, \
    history.scheduled_at, history.started_at, history.ended_at, history.outcome, \
    history.reason, history.detail, history.count, history.exit_status, history.signal, \
    history.peak_memory, history.cpu_time, history.was_killed, history.progress, history.host, \
    history.output
    """
  static let count = 20

  static func read(_ row: SQLiteRow, of identifier: JobIdentifier) -> HistoryRow {
    var result = HistoryRow(
      sequence: row.integer(0), run: row.optionalInteger(1).map { RunNumber($0) },
      identifier: identifier, endedAt: WallInstant(microseconds: row.integer(7)),
      outcome: Outcome(rawValue: row.text(8)) ?? .failed)
    result.key = row.text(2)
    result.attempt = Int(row.integer(3))
    result.submittedAt = row.optionalInteger(4).map { WallInstant(microseconds: $0) }
    result.scheduledAt = row.optionalInteger(5).map { WallInstant(microseconds: $0) }
    result.startedAt = row.optionalInteger(6).map { WallInstant(microseconds: $0) }
    result.reason = row.optionalText(9).flatMap { Reason(rawValue: $0) }
    result.detail = row.optionalText(10)
    result.count = Int(row.integer(11))
    result.ending.exitStatus = row.optionalInteger(12).map { Int32(truncatingIfNeeded: $0) }
    result.ending.signal = row.optionalInteger(13).map { Int32(truncatingIfNeeded: $0) }
    result.ending.peakMemory = row.optionalInteger(14)
    result.ending.cpuTime = row.optionalInteger(15).map { .nanoseconds($0) }
    result.ending.wasKilled = row.isTrue(16)
    result.progress = row.optionalReal(17)
    result.host = row.optionalText(18)
    result.output = row.optionalText(19)
    return result
  }

  /// Appends a row; its sequence is the store's to give.
  static func insert(
    _ row: HistoryRow, of job: Int64, into connection: SQLiteConnection
  ) throws(SQLiteError) {
    try connection.statement(
      """
      INSERT OR FAIL INTO history (run, job, key, attempt, submitted_at, scheduled_at, started_at,
        ended_at, outcome, reason, detail, count, exit_status, signal, peak_memory, cpu_time,
        was_killed, progress, host, output)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    ).run(
      SQLiteValue(row.run?.value), .integer(job), .text(row.key), .integer(Int64(row.attempt)),
      SQLiteValue(row.submittedAt?.microseconds), SQLiteValue(row.scheduledAt?.microseconds),
      SQLiteValue(row.startedAt?.microseconds), .integer(row.endedAt.microseconds),
      .text(row.outcome.rawValue), SQLiteValue(row.reason?.rawValue), SQLiteValue(row.detail),
      .integer(Int64(row.count)), SQLiteValue(row.ending.exitStatus.map { Int64($0) }),
      SQLiteValue(row.ending.signal.map { Int64($0) }), SQLiteValue(row.ending.peakMemory),
      SQLiteValue(row.ending.cpuTime?.nanoseconds), SQLiteValue(row.ending.wasKilled),
      SQLiteValue(row.progress), SQLiteValue(row.host), SQLiteValue(row.output))
  }
}
