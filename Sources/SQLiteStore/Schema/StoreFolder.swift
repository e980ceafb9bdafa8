internal import CSQLite
internal import Glibc
internal import JobModel

/// The state directory as the store uses it: where its files are, and how they come into being.
struct StoreFolder {
  let path: String

  var database: String { "\(path)/store.db" }
  var writeAheadFile: String { "\(path)/store.db-wal" }
  var owners: String { "\(path)/owners" }

  /// Whether a store is there.
  func holdsStore() throws(StoreFailure) -> Bool {
    var status = stat()
    if unsafe stat(database, &status) == 0 { return true }
    let error = SystemError.last
    guard error.number == ENOENT || error.number == ENOTDIR else {
      throw failure("look for the store \(database)", error)
    }
    return false
  }

  /// Makes the folder and its `owners`, for this user only.
  func make() throws(StoreFailure) {
    var ancestors: [String] = []
    var folder = Substring(path)
    while !folder.isEmpty, unsafe access(String(folder), F_OK) != 0 {
      ancestors.append(String(folder))
      folder = folder.lastIndex(of: "/").map { folder[..<$0] } ?? ""
    }
    for folder in ancestors.reversed() { try makeOne(folder) }
    try makeOne(owners)
  }

  /// Runs `body` while no other process prepares the same folder.
  ///
  /// - Parameter patience: longest wait for another process (PL14).
  func withLock(
    patience: Duration, _ body: () throws(StoreFailure) -> Void
  ) throws(StoreFailure) {
    let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("open the state folder \(path)", .last) }
    defer { close(descriptor) }
    let step = Duration.milliseconds(5)
    var waited = Duration.zero
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else {
        throw failure("lock the state folder \(path)", .last)
      }
      guard waited < patience else {
        throw StoreFailure(
          cause: .busy,
          sentence: "cannot prepare the store \(database): another program has been at it for "
            + "\(patience.components.seconds) s; let it go on or end it, then try again")
      }
      sqlite3_sleep(5)
      waited += step
    }
    try body()
  }

  /// Sets the write-ahead file's times, which watchers take for the end of a transaction.
  ///
  /// Where that can't be done they look a moment later by themselves.
  func tellOfVisibleChange() {
    _ = unsafe utimensat(AT_FDCWD, writeAheadFile, nil, 0)
  }

  func failure(_ attempt: String, _ error: SystemError) -> StoreFailure {
    let cause: StoreFailure.Cause =
      switch error.number {
      case ENOSPC, EDQUOT: .diskFull
      case EROFS, EACCES, EPERM: .readOnly
      default: .unreachable
      }
    return StoreFailure(
      cause: cause,
      sentence: "cannot \(attempt): \(error); name a state directory that this user can write to")
  }

  private func makeOne(_ folder: String) throws(StoreFailure) {
    guard unsafe mkdir(folder, 0o700) != 0, errno != EEXIST else { return }
    throw failure("make the state folder \(folder)", .last)
  }
}
