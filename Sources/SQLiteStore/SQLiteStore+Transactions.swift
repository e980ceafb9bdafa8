internal import CSQLite
internal import JobModel

/// How the store's calls become transactions, and SQLite's errors failures that a person can read.
extension SQLiteStore {
  /// Applies the transitions and reads what they touched, inside a transaction.
  func apply(
    _ transitions: [Transition], at now: WallInstant, headLimit: Int
  ) throws(SQLiteError) -> CommitReport {
    var change = try StoreChange(connection, at: now)
    var verdicts: [Verdict] = []
    verdicts.reserveCapacity(transitions.count)
    for transition in transitions { verdicts.append(try change.apply(transition)) }
    try change.conclude()
    let reader = SnapshotReader(connection: connection)
    var snapshots: [JobSnapshot] = []
    for identifier in change.touched.sorted() {
      snapshots.append(
        try reader.snapshot(of: identifier, headLimit: headLimit, revision: change.revision))
    }
    return CommitReport(revision: change.revision, verdicts: verdicts, snapshots: snapshots)
  }

  /// One consistent view for all reads of `body`.
  func read<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(StoreFailure) -> Result {
    try transaction("BEGIN", attempting: "read", body)
  }

  /// - Parameter isSynchronous: whether the transaction must survive a power cut once this returns.
  func write<Result>(
    isSynchronous: Bool = true, _ body: () throws(SQLiteError) -> Result
  ) throws(StoreFailure) -> Result {
    guard !isSynchronous else {
      return try transaction("BEGIN IMMEDIATE", attempting: "write to", body)
    }
    // In WAL mode NORMAL doesn't wait for the disk at a commit; the next FULL one covers it.
    try setSynchronous("NORMAL")
    defer { try? setSynchronous("FULL") }
    return try transaction("BEGIN IMMEDIATE", attempting: "write to", body)
  }

  private func setSynchronous(_ level: String) throws(StoreFailure) {
    do throws(SQLiteError) {
      try connection.execute("PRAGMA synchronous = \(level)")
    } catch {
      throw failure(error, attempting: "set up")
    }
  }

  private func transaction<Result>(
    _ beginning: String, attempting attempt: String, _ body: () throws(SQLiteError) -> Result
  ) throws(StoreFailure) -> Result {
    do throws(SQLiteError) {
      if connection.hasMoved {
        throw SQLiteError(
          code: SQLITE_CANTOPEN, message: "it was moved or removed while it was in use")
      }
      try connection.statement(beginning).run()
      let result = try body()
      try connection.statement("COMMIT").run()
      return result
    } catch {
      // SQLite has rolled back by itself after some errors; after the others it is done here.
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      throw failure(error, attempting: attempt)
    }
  }

  private func failure(_ error: SQLiteError, attempting attempt: String) -> StoreFailure {
    StoreFailure(error, attempting: attempt, path: folder.database, patience: patience)
  }

  func isAlive(_ owner: Owner) throws(StoreFailure) -> Bool {
    try OwnerLock.isHeld(name: owner.name, in: folder)
  }

  static func randomName() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension Transition {
  /// Whether it may be lost in a power cut.
  var isProgress: Bool {
    if case .progress = self { true } else { false }
  }
}
