internal import Glibc
internal import JobModel

/// The lock by which an owner is known to be alive: `owners/NAME.lock`, held until the last process
/// that has it open is gone (DU2).
///
/// It is a flock(2), which belongs to the open file description: a supervisor that was forked from
/// the owner inherits it, so that a death shows only when the leftovers are gone too. The file is
/// open for writing, so that its last close is an IN_CLOSE_WRITE for whoever watches the folder;
/// the kernel sends that event just before it drops the lock.
final class OwnerLock {
  /// Carries the lock; open for as long as this object lives.
  let descriptor: Int32
  private let path: String

  /// Makes the file and takes its lock.
  init(name: String, in folder: StoreFolder) throws(StoreFailure) {
    path = Self.path(of: name, in: folder)
    descriptor = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw folder.failure("make the owner's lock \(path)", .last) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let error = SystemError.last
      close(descriptor)
      throw folder.failure("lock \(path)", error)
    }
  }

  deinit { close(descriptor) }

  /// Whether somebody holds the lock of this owner; a missing file is nobody's.
  ///
  /// The probe shares the lock and opens the file for reading: probes don't disturb each other nor
  /// wake the folder's watchers.
  static func isHeld(name: String, in folder: StoreFolder) throws(StoreFailure) -> Bool {
    let path = path(of: name, in: folder)
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return false }
      throw folder.failure("read the owner's lock \(path)", .last)
    }
    defer { close(descriptor) }
    if flock(descriptor, LOCK_SH | LOCK_NB) == 0 { return false }
    guard errno == EWOULDBLOCK else { throw folder.failure("probe \(path)", .last) }
    return true
  }

  /// Removes the file of an owner that is gone; one that is already removed is no error.
  static func remove(name: String, in folder: StoreFolder) {
    unsafe unlink(path(of: name, in: folder))
  }

  private static func path(of name: String, in folder: StoreFolder) -> String {
    "\(folder.owners)/\(name).lock"
  }
}
