internal import CLinux
internal import Glibc

/// Holds a file locked until its owner, and whoever inherited the descriptor (the keeper of
/// runs), has ended: the kernel drops it then, whatever ended them (DU2).
///
/// The lock belongs to the open file, not to the process, so closing some other descriptor of the
/// same file doesn't drop it.
package final class LockFile {
  package let path: String
  private let file: Descriptor

  private init(path: String, file: consuming Descriptor) {
    self.path = path
    self.file = file
  }

  /// The descriptor that carries the lock, to be handed to the keeper of runs.
  package var descriptor: Int32 { file.number }

  /// Makes the file if need be and locks it; nil when it is held by somebody else.
  package static func tryLock(_ path: String) throws(SystemError) -> LockFile? {
    let file = try Descriptor.open(path, O_RDWR | O_CREAT)
    let result = bgrun_lock_try(file.number)
    if result == -EAGAIN || result == -EACCES { return nil }
    try checkNegated(result, "fcntl", path)
    return LockFile(path: path, file: file)
  }

  /// Whether somebody holds it, without taking it; a file that isn't there is not held.
  package static func isHeld(_ path: String) throws(SystemError) -> Bool {
    guard try Files.status(path) != nil else { return false }
    let file = try Descriptor.open(path, O_RDONLY)
    return try checkNegated(bgrun_lock_is_held(file.number), "fcntl", path) == 1
  }
}

/// Tells when a lock file's holder is gone, without polling.
package final class LockWatch {
  private let path: String
  private let files: FileWatch
  private var isReported = false

  /// Calls `released` once, on the loop's thread; soon, if nobody holds the lock any more.
  package init(
    _ path: String, on loop: EventLoop, released: @escaping () -> Void
  ) throws(SystemError) {
    self.path = path
    files = try FileWatch(on: loop) { _ in }
    files.handler = { [unowned self] event in
      // Only the holder has it open for writing. The kernel tells of the close a moment before it
      // drops the lock, so wait for that moment.
      guard !isReported, event.changes.contains(.closedAfterWriting) else { return }
      isReported = true
      Self.waitUntilReleased(path)
      released()
    }
    try files.add(path, for: [.closedAfterWriting])
    if try !LockFile.isHeld(path) {
      loop.soon { [weak self] in
        guard let self, !isReported else { return }
        isReported = true
        released()
      }
    }
  }

  private static func waitUntilReleased(_ path: String) {
    // A file that was removed meanwhile is nobody's lock.
    guard let file = try? Descriptor.open(path, O_RDONLY) else { return }
    while bgrun_lock_wait_shared(file.number) == -EINTR { continue }
  }
}
