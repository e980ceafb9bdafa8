internal import JobModel

/// Reads what commands show: the whole store, what is pending, what has ended.
struct StoreReader {
  let connection: SQLiteConnection

  func revision() throws(SQLiteError) -> Revision {
    try connection.statement("SELECT revision FROM store").first { Revision($0.integer(0)) }
      ?? Revision(0)
  }

  func recordedTime() throws(SQLiteError) -> WallInstant? {
    try connection.statement("SELECT recorded_at FROM store")
      .first { $0.optionalInteger(0).map { WallInstant(microseconds: $0) } } ?? nil
  }

  func seed() throws(SQLiteError) -> UInt64 {
    guard
      let seed = try connection.statement("SELECT seed FROM store").first(read: { $0.integer(0) })
    else { throw SQLiteError.missingRow }
    return UInt64(bitPattern: seed)
  }

  func snapshots(
    of identifiers: [JobIdentifier]?, headLimit: Int
  ) throws(SQLiteError) -> [JobSnapshot] {
    let revision = try revision()
    let reader = SnapshotReader(connection: connection)
    var snapshots: [JobSnapshot] = []
    let known = if let identifiers { identifiers } else { try jobs().map(\.identifier) }
    for identifier in known.sorted() {
      snapshots.append(
        try reader.snapshot(of: identifier, headLimit: headLimit, revision: revision))
    }
    return snapshots
  }

  func changes(since revision: Revision) throws(SQLiteError) -> [JobIdentifier] {
    try connection.statement(Self.changesText)
      .all(.integer(revision.value)) { JobIdentifier($0.text(0)) }.sorted()
  }

  /// Merges the fronts of the queues: what is pending is never sorted as a whole.
  func pending(
    of identifier: JobIdentifier?, limit: Int
  ) throws(SQLiteError) -> [RequestRecord] {
    let reader = SnapshotReader(connection: connection)
    var fronts: [RequestRecord] = []
    for job in try jobs() where identifier == nil || job.identifier == identifier {
      for queue in try reader.queues(of: job.number) {
        fronts += try reader.front(
          of: job.number, job.identifier, queue: queue, limit: max(0, limit))
      }
    }
    return Array(fronts.sorted(by: RequestRecord.isDueEarlier).prefix(max(0, limit)))
  }

  func history(
    of identifier: JobIdentifier?, limit: Int?
  ) throws(SQLiteError) -> [HistoryRow] {
    // A negative limit is none to SQLite.
    let limit = SQLiteValue.integer(limit.map { Int64(max(0, $0)) } ?? -1)
    if let identifier {
      return try connection.statement(Self.jobHistoryText)
        .all(.text(identifier.text), limit) { HistoryColumns.read($0, of: identifier) }
    }
    return try connection.statement(Self.historyText).all(limit, read: Self.readHistory)
  }

  func endedRun(_ run: RunNumber) throws(SQLiteError) -> HistoryRow? {
    try connection.statement(Self.endedRunText).first(.integer(run.value), read: Self.readHistory)
  }

  private func jobs() throws(SQLiteError) -> [(number: Int64, identifier: JobIdentifier)] {
    try connection.statement("SELECT id, identifier FROM job")
      .all { ($0.integer(0), JobIdentifier($0.text(1))) }
  }

  private static func readHistory(_ row: SQLiteRow) -> HistoryRow {
    HistoryColumns.read(row, of: JobIdentifier(row.text(HistoryColumns.count)))
  }

  static let changesText = "SELECT identifier FROM job WHERE revision > ?"

  static let jobHistoryText = """
    SELECT \(HistoryColumns.list) FROM history
    WHERE job = (SELECT id FROM job WHERE identifier = ?) ORDER BY sequence DESC LIMIT ?
    """

  static let historyText = """
    SELECT \(HistoryColumns.list), job.identifier FROM history JOIN job ON job.id = history.job
    ORDER BY sequence DESC LIMIT ?
    """

  static let endedRunText = """
    SELECT \(HistoryColumns.list), job.identifier FROM history JOIN job ON job.id = history.job
    WHERE history.run = ?
    """
}
