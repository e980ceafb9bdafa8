internal import CSQLite

/// One connection to one database file: it owns SQLite's handle and closes it.
///
/// A connection and its statements belong to one thread at a time. Prepared statements are kept for
/// the connection's life, so the text of a statement is compiled once.
@safe package final class SQLiteConnection {
  /// What may be done with the file; it must exist, unless it is created.
  package enum Mode: Sendable {
    case readWrite
    case create
  }

  package let path: String
  let handle: OpaquePointer
  /// Ends what this connection is doing, from any thread.
  package let interruption: SQLiteInterruption
  /// What SQLite calls while statements run.
  var observation: SQLiteObservation?
  private var statements: [StatementText: SQLiteStatement] = [:]
  private var isSynchronous: Bool?

  /// Opens the file.
  ///
  /// - Parameter patience: longest wait for another connection's lock; then the error is
  ///   SQLITE_BUSY (PL14).
  package init(path: String, mode: Mode, patience: Duration) throws(SQLiteError) {
    self.path = path
    var opened: OpaquePointer?
    var flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    if mode == .create { flags |= SQLITE_OPEN_CREATE }
    let result = unsafe sqlite3_open_v2(path, &opened, flags, nil)
    guard let opened = unsafe opened else {
      throw SQLiteError(code: SQLITE_NOMEM, message: "out of memory")
    }
    unsafe handle = opened
    interruption = unsafe SQLiteInterruption(of: opened)
    guard result == SQLITE_OK else { throw failure(result) }
    let (seconds, attoseconds) = patience.components
    let milliseconds = min(seconds, 86_400) * 1000 + attoseconds / 1_000_000_000_000_000
    unsafe LockWait.install(on: handle, atMost: Int(milliseconds))
  }

  deinit {
    // Statements are finalised first: a connection with open ones would only be closed later.
    statements.removeAll()
    interruption.connectionCloses()
    unsafe sqlite3_close_v2(handle)
  }

  /// The prepared statement for this text, compiled at its first use.
  package func statement(_ text: String) throws(SQLiteError) -> SQLiteStatement {
    let key = StatementText(text: text)
    if let known = statements[key] { return known }
    var compiled: OpaquePointer?
    let result = unsafe sqlite3_prepare_v3(
      handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil)
    guard result == SQLITE_OK, let compiled = unsafe compiled else { throw failure(result) }
    let statement = unsafe SQLiteStatement(owning: compiled, of: self)
    statements[key] = statement
    return statement
  }

  /// Runs a text of any number of statements that have no parameters, once.
  package func execute(_ text: String) throws(SQLiteError) {
    let result = unsafe sqlite3_exec(handle, text, nil, nil, nil)
    guard result == SQLITE_OK else { throw failure(result) }
  }

  /// Rows that the last finished statement inserted, changed or deleted.
  package var changedRows: Int { Int(unsafe sqlite3_changes64(handle)) }

  /// Rows that were inserted, changed or deleted since the connection was opened.
  var changedRowsInAll: Int64 { unsafe sqlite3_total_changes64(handle) }

  /// Whether a transaction is open.
  package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

  /// Whether the file was renamed or removed since it was opened, so that nobody would find what is
  /// written to it.
  package var hasMoved: Bool {
    var moved: Int32 = 0
    let result = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
    return result == SQLITE_OK && moved != 0
  }

  /// Keeps the write-ahead file when the last connection closes, so that watchers don't lose it.
  package func keepWriteAheadFile() throws(SQLiteError) {
    var isKept: Int32 = 1
    let result = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
    guard result == SQLITE_OK else { throw failure(result) }
  }

  /// Sets whether the commits that follow wait for the disk.
  ///
  /// In WAL mode NORMAL doesn't wait, and the next FULL commit covers what came before it.
  package func setSynchronous(_ isSynchronous: Bool) throws(SQLiteError) {
    guard isSynchronous != self.isSynchronous else { return }
    try execute("PRAGMA synchronous = \(isSynchronous ? "FULL" : "NORMAL")")
    self.isSynchronous = isSynchronous
  }

  /// Gives back the pages of the file that are kept in memory.
  func releaseUnusedMemory() {
    // It can't fail: what is in use stays.
    _ = unsafe sqlite3_db_release_memory(handle)
  }

  /// The error of the call that returned `result`.
  func failure(_ result: Int32) -> SQLiteError {
    SQLiteError(
      code: result, message: unsafe String(cString: sqlite3_errmsg(handle)),
      systemError: unsafe sqlite3_system_errno(handle))
  }
}

/// The text of a statement as a key: hashed by its length, because hashing hundreds of bytes would
/// cost a good part of what the statement itself does.
private struct StatementText: Hashable {
  let text: String

  func hash(into hasher: inout Hasher) { hasher.combine(text.utf8.count) }
}
