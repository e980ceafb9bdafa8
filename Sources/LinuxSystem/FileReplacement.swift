internal import CLinux
internal import Glibc

/// Replaces a file as a whole: readers see the old content or the new one, and a crash leaves one of
/// the two.
package enum FileReplacement {
  /// Writes a file anew with the permissions that it has, and with its owner where this process may
  /// give files away; a link stays one, and what it leads to is replaced.
  package static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    guard let resolved = unsafe realpath(path, nil) else { throw .last("realpath", path) }
    let target = unsafe String(cString: resolved)
    unsafe free(resolved)
    var status = stat()
    guard unsafe stat(target, &status) == 0 else { throw .last("stat", path) }
    let name = "\(Files.parent(of: target))/.\(Files.name(of: target)).\(getpid())"
    do {
      let file = try Descriptor.open(name, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
      try Descriptors.write(all: bytes[...], to: file.number)
      // Before the permissions: a change of owner takes some of them away.
      _ = fchown(file.number, status.st_uid, status.st_gid)
      try check(fchmod(file.number, status.st_mode & 0o7777), "fchmod", path)
      try check(fsync(file.number), "fsync", path)
      try check(unsafe rename(name, target), "rename", path)
    } catch {
      try? Files.remove(name)
      throw error
    }
  }
}
