internal import CSQLite

/// Database pages that a connection has moved since it was opened.
package struct SQLitePageCounts: Hashable, Sendable {
  /// Read from a file into memory.
  package var read: Int
  /// Written to a file, temporary ones included.
  package var written: Int
}

/// What SQLite calls every so often while statements of a connection run.
@safe final class SQLiteObservation {
  private let handle: OpaquePointer
  private let interruption: SQLiteInterruption
  private let report: (SQLitePageCounts) -> Void

  /// - Parameter handle: of an open connection, which outlives the observation.
  init(
    of handle: OpaquePointer, _ interruption: SQLiteInterruption,
    report: @escaping (SQLitePageCounts) -> Void
  ) {
    unsafe self.handle = handle
    self.interruption = interruption
    self.report = report
  }

  /// Reports; false ends the statement.
  func proceeds() -> Bool {
    guard !interruption.isRequested else { return false }
    report(
      SQLitePageCounts(
        read: count(SQLITE_DBSTATUS_CACHE_MISS), written: count(SQLITE_DBSTATUS_CACHE_WRITE)))
    return true
  }

  private func count(_ counter: Int32) -> Int {
    var current: Int32 = 0
    var highest: Int32 = 0
    unsafe sqlite3_db_status(handle, counter, &current, &highest, 0)
    return Int(current)
  }
}

extension SQLiteConnection {
  /// Has `report` called every so often while statements run, on their thread; it must not use the
  /// connection.
  package func observe(_ report: @escaping (SQLitePageCounts) -> Void) {
    let observation = unsafe SQLiteObservation(of: handle, interruption, report: report)
    self.observation = observation
    let operations: Int32 = 2000
    unsafe sqlite3_progress_handler(
      handle, operations,
      { pointer in
        guard let pointer = unsafe pointer else { return 0 }
        let observation = unsafe Unmanaged<SQLiteObservation>.fromOpaque(pointer)
        return unsafe observation.takeUnretainedValue().proceeds() ? 0 : 1
      }, Unmanaged.passUnretained(observation).toOpaque())
  }
}
