internal import CSQLite
internal import Glibc
internal import JobModel

/// How SQLite's errors read for a person: what was attempted, on what, what to do (DU4).
extension StoreFailure {
  /// - Parameters:
  ///   - attempt: completes "cannot …": "write to", "read".
  ///   - path: of the database file.
  ///   - patience: how long a lock was waited for.
  init(_ error: SQLiteError, attempting attempt: String, path: String, patience: Duration) {
    let beginning = "cannot \(attempt) the store \(path): "
    let cause = Self.cause(of: error)
    let sentence =
      switch cause {
      case .diskFull:
        beginning + "its disk is full; free some space there"
      case .readOnly:
        beginning + "it is read-only for this user; make the file and its folder writable"
      case .damaged:
        beginning + "it is damaged (\(error.message)); move it and \(path)-wal away to begin anew"
      case .busy:
        beginning + "another program has held it for \(patience.components.seconds) s; "
          + "let that program go on or end it, then try again"
      case .unreachable:
        beginning + "\(Self.systemText(of: error)); check that its folder exists and can be entered"
      case .tooNew, .other:
        beginning + "\(Self.systemText(of: error)) (SQLite error \(error.code)); "
          + "check the disk and its folder"
      }
    self.init(cause: cause, sentence: sentence)
  }

  private static func cause(of error: SQLiteError) -> Cause {
    switch error.systemError {
    case ENOSPC, EDQUOT: return .diskFull
    case EROFS: return .readOnly
    default: break
    }
    return switch error.primaryCode {
    case SQLITE_FULL: .diskFull
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .readOnly
    case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
    case SQLITE_CANTOPEN: .unreachable
    default: error.code == sqliteShortRead ? .damaged : .other
    }
  }

  private static func systemText(of error: SQLiteError) -> String {
    error.systemError == 0 ? error.message : String(describing: SystemError(error.systemError))
  }

  /// SQLITE_IOERR_SHORT_READ, a macro that Swift doesn't see: the file ends before it should.
  private static var sqliteShortRead: Int32 { SQLITE_IOERR | (2 << 8) }
}

/// An error number of the system, in its words.
struct SystemError: Error, CustomStringConvertible {
  let number: Int32

  init(_ number: Int32) {
    self.number = number
  }

  /// The error of the call that just failed.
  static var last: SystemError { SystemError(errno) }

  var description: String {
    unsafe String(cString: strerror(number))
  }
}
