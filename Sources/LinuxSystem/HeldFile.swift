internal import CLinux
internal import Glibc

/// A file that is locked for as long as this process lives and holds it: whatever ends the process,
/// the kernel closes the file, which watchers of its folder are told (`closedAfterWriting`), and
/// drops the lock.
package final class HeldFile {
  private let path: String
  private let file: Descriptor

  /// Makes the file, which appears in its folder (`movedIn`) only once it is locked.
  ///
  /// - Parameters:
  ///   - folder: a folder that exists.
  ///   - name: a name that nobody else has; it doesn't start with a dot.
  package init(named name: String, in folder: String) throws(SystemError) {
    path = "\(folder)/\(name)"
    // Whoever tidies up may take the draft for a leftover before it is locked: then once more.
    for isLast in [false, false, true] {
      if let file = try Self.make(name, in: folder, isLast: isLast) {
        self.file = file
        return
      }
    }
    throw SystemError("rename", path, code: ENOENT)
  }

  private static func make(
    _ name: String, in folder: String, isLast: Bool
  ) throws(SystemError) -> Descriptor? {
    let draft = "\(folder)/.\(name)"
    let file = try Descriptor.open(draft, O_RDWR | O_CREAT, permissions: 0o600)
    try check(flock(file.number, LOCK_EX), "flock", draft)
    if unsafe rename(draft, "\(folder)/\(name)") == 0 { return file }
    guard errno == ENOENT, !isLast else { throw .last("rename", draft) }
    return nil
  }

  deinit {
    _ = unsafe unlink(path)
  }

  /// The names in a folder whose files are held; those that nobody holds are removed.
  package static func held(in folder: String) throws(SystemError) -> [String] {
    try Files.list(folder).filter { name in
      let path = "\(folder)/\(name)"
      guard isHeld(path) else {
        _ = unsafe unlink(path)
        return false
      }
      return !name.hasPrefix(".")
    }
  }

  /// The probe shares the lock and opens the file for reading: it wakes no watcher.
  private static func isHeld(_ path: String) -> Bool {
    guard let file = try? Descriptor.open(path, O_RDONLY) else { return false }
    return flock(file.number, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }
}
