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
    try transaction(.reading, body)
  }

  /// - Parameter isSynchronous: whether the transaction must survive a power cut once this returns.
  func write<Result>(
    isSynchronous: Bool = true, _ body: () throws(SQLiteError) -> Result
  ) throws(StoreFailure) -> Result {
    try transaction(.writing(isSynchronous: isSynchronous), body)
  }

  private enum Access {
    case reading
    case writing(isSynchronous: Bool)

    var attempt: String {
      switch self {
      case .reading: "read"
      case .writing: "write to"
      }
    }
  }

  private func transaction<Result>(
    _ access: Access, _ body: () throws(SQLiteError) -> Result
  ) throws(StoreFailure) -> Result {
    do throws(SQLiteError) {
      if connection.hasMoved {
        throw SQLiteError(
          code: SQLITE_CANTOPEN, message: "it was moved or removed while it was in use")
      }
      switch access {
      case .reading:
        try connection.statement("BEGIN").run()
      case .writing(let isSynchronous):
        try connection.setSynchronous(isSynchronous)
        // Locked from the start: a transaction that read first could be refused half-way.
        try connection.statement("BEGIN IMMEDIATE").run()
      }
      let before = connection.changedRowsInAll
      let result = try body()
      try connection.statement("COMMIT").run()
      if connection.changedRowsInAll != before { folder.tellOfVisibleChange() }
      return result
    } catch {
      // SQLite has rolled back by itself after some errors; after the others it is done here.
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      throw StoreFailure(
        error, attempting: access.attempt, path: folder.database, patience: patience)
    }
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
  /// Whether a power cut must not undo it once it is answered.
  var survivesPowerCut: Bool {
    switch self {
    case .progress, .stall, .goOnWaiting: false
    case .claim(let claim): claim.survivesPowerCut
    case .submit, .recordInstants, .begin, .release, .beginExpiring, .end, .requestStop, .cancel,
      .close, .decide, .switchJob, .prune, .resetRecordedTime:
      true
    }
  }
}
