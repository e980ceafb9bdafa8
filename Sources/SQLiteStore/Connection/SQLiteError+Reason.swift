internal import CSQLite

/// How errors on a database that isn't the store read for a person.
extension SQLiteError {
  /// Whether the statement was ended by its connection's interruption.
  package var isInterruption: Bool { primaryCode == SQLITE_INTERRUPT }

  /// The reason, fit to stand behind what was attempted and a colon.
  package var reason: String {
    switch primaryCode {
    case SQLITE_NOTADB: "it is no SQLite database"
    case SQLITE_CORRUPT: "it is damaged (\(message))"
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
      "another program holds it; let that program end or try again later"
    case SQLITE_FULL: "there is no room on the disk; free some"
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: "it is read-only for this user"
    default:
      systemError == 0 ? message : "\(message) (\(SystemError(systemError)))"
    }
  }
}
