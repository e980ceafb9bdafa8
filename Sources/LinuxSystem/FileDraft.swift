internal import CLinux
internal import Glibc

/// A file that is written beside the one whose place it takes once it is complete.
///
/// Whatever ends the process, the path holds what it held before or the whole new file, also after a
/// crash of the machine. A draft that isn't committed is removed when it goes; one that was left by a
/// process that was killed is taken over by the next one.
package struct FileDraft: ~Copyable {
  /// The file that the draft will become.
  package let path: String
  /// Names the draft among the files of its file system.
  package let device: UInt64
  package let inode: UInt64

  private let draft: String
  private let file: Descriptor
  private var isCommitted = false
  /// Up to where the disk has written, and up to where it was told to write.
  private var flushed: (done: Int64, begun: Int64) = (0, 0)

  /// Makes the draft of a file, which its owner alone may read.
  ///
  /// - Throws: EWOULDBLOCK when another process is writing one.
  package init(of path: String) throws(SystemError) {
    draft = "\(Files.parent(of: path))/.\(Files.name(of: path)).partial"
    self.path = path
    var status = stat()
    while true {
      let file = try Descriptor.open(draft, O_RDWR | O_CREAT | O_NOFOLLOW)
      try check(flock(file.number, LOCK_EX | LOCK_NB), "flock", draft)
      try check(unsafe fstat(file.number, &status), "stat", draft)
      // Whoever held the lock before may have given the file its name or removed it.
      guard let named = try Files.status(draft), named.inode == UInt64(status.st_ino),
        named.device == UInt64(status.st_dev)
      else { continue }
      try check(ftruncate(file.number, 0), "truncate", draft)
      self.file = file
      break
    }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }

  deinit {
    if !isCommitted { unsafe unlink(draft) }
  }

  /// Where to write.
  package var descriptor: Int32 { file.number }

  /// How much is written, in bytes.
  package var size: Int64 {
    var status = stat()
    return unsafe fstat(file.number, &status) == 0 ? Int64(status.st_size) : 0
  }

  /// Has the disk write what there is, so that no more than two windows of bytes are left to wait for
  /// at the end; to be called now and then.
  package mutating func flush(window: Int64 = 8 << 20) {
    let size = size
    guard size - flushed.begun >= window else { return }
    bgrun_write_out(file.number, flushed.done, flushed.begun, size)
    flushed = (flushed.begun, size)
  }

  /// Puts the draft in its place, for good when this returns.
  package mutating func commit() throws(SystemError) {
    try check(fsync(file.number), "fsync", draft)
    try check(unsafe rename(draft, path), "rename", path)
    isCommitted = true
    let folder = try Descriptor.open(Files.parent(of: path), O_RDONLY | O_DIRECTORY)
    try check(fsync(folder.number), "fsync", Files.parent(of: path))
  }
}
