internal import JobModel

/// The owners that haven't left, as rows.
struct OwnerTable {
  let connection: SQLiteConnection

  /// Adds an owner under the next fence.
  func add(
    name: String, host: String, processID: Int32, at now: WallInstant
  ) throws(SQLiteError) -> Owner {
    let fence = try connection.statement(
      "UPDATE store SET last_fence = last_fence + 1 RETURNING last_fence"
    ).first { Fence($0.integer(0)) }
    guard let fence else { throw SQLiteError.missingRow }
    try connection.statement(
      "INSERT INTO owner (fence, name, host, process_id, started_at) VALUES (?, ?, ?, ?, ?)"
    ).run(
      .integer(fence.value), .text(name), .text(host), .integer(Int64(processID)),
      .integer(now.microseconds))
    return Owner(name: name, fence: fence, host: host, processID: processID, startedAt: now)
  }

  /// Removes an owner with what it published; false when it isn't there any more.
  func remove(_ owner: Owner) throws(SQLiteError) -> Bool {
    try connection.statement("DELETE FROM owner WHERE fence = ?").run(.integer(owner.fence.value))
    guard connection.changedRows == 1 else { return false }
    try connection.statement("DELETE FROM owner_reading WHERE owner = ?")
      .run(.integer(owner.fence.value))
    return true
  }

  /// Whether a run of this owner hasn't ended.
  func hasRuns(_ owner: Owner) throws(SQLiteError) -> Bool {
    try connection.statement("SELECT 1 FROM run WHERE owner = ? LIMIT 1")
      .first(.integer(owner.fence.value)) { _ in true } ?? false
  }

  func contains(_ owner: Owner) throws(SQLiteError) -> Bool {
    try connection.statement("SELECT 1 FROM owner WHERE fence = ?")
      .first(.integer(owner.fence.value)) { _ in true } ?? false
  }

  /// Marks an owner as one that starts nothing any more.
  func retire(_ owner: Owner) throws(SQLiteError) {
    try connection.statement("UPDATE owner SET is_retired = 1 WHERE fence = ?")
      .run(.integer(owner.fence.value))
  }

  /// By fence.
  func all() throws(SQLiteError) -> [(owner: Owner, isRetired: Bool)] {
    try connection.statement(
      "SELECT name, fence, host, process_id, started_at, is_retired FROM owner ORDER BY fence"
    ).all { row in
      (
        Owner(
          name: row.text(0), fence: Fence(row.integer(1)), host: row.text(2),
          processID: Int32(truncatingIfNeeded: row.integer(3)),
          startedAt: WallInstant(microseconds: row.integer(4))), row.isTrue(5)
      )
    }
  }

  /// Gives the runs of one owner to another and marks their identifiers as changed.
  ///
  /// - Returns: The runs with their new fence, by number.
  func moveRuns(of dead: Owner, to adopter: Owner) throws(SQLiteError) -> [RunRecord] {
    try connection.statement("UPDATE run SET owner = ? WHERE owner = ?")
      .run(.integer(adopter.fence.value), .integer(dead.fence.value))
    guard connection.changedRows > 0 else { return [] }
    try connection.statement("UPDATE store SET revision = revision + 1").run()
    let runs = try connection.statement(Self.runsText).all(.integer(adopter.fence.value)) { row in
      RunColumns.read(
        row, of: JobIdentifier(row.text(RunColumns.firstOfRequest + RequestColumns.count)))
    }
    let mark = try connection.statement(
      "UPDATE job SET revision = (SELECT revision FROM store) WHERE identifier = ?")
    for identifier in Set(runs.map(\.request.identifier)) {
      try mark.run(.text(identifier.text))
    }
    return runs
  }

  static let runsText = """
    SELECT \(RunColumns.list), job.identifier
    FROM run JOIN request ON request.id = run.request JOIN job ON job.id = run.job
    WHERE run.owner = ? ORDER BY run.number
    """
}
