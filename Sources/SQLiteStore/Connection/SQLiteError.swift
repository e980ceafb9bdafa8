internal import CSQLite

/// What SQLite reported: its extended result code, its own words and the system's error number.
package struct SQLiteError: Error, Hashable, Sendable {
  /// SQLite's extended result code.
  package var code: Int32
  package var message: String
  /// `errno` of the system call that failed; 0 when none did.
  package var systemError: Int32

  package init(code: Int32, message: String, systemError: Int32 = 0) {
    self.code = code
    self.message = message
    self.systemError = systemError
  }

  /// SQLite's primary result code.
  package var primaryCode: Int32 { code & 0xFF }
}

extension SQLiteError {
  /// A row that every store has isn't there: the file was changed by something else.
  static var missingRow: SQLiteError {
    SQLiteError(code: SQLITE_CORRUPT, message: "a row that every store has is missing")
  }
}
