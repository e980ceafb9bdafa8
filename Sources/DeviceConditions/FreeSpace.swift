internal import Glibc
internal import LinuxSystem

/// Free space on the file system of a path.
enum FreeSpace {
  /// The bytes that an unprivileged program may still write there. A path that doesn't exist yet is
  /// answered by the nearest folder above it, where it would be made; nil when no file system
  /// answers.
  static func sample(_ path: String) -> (bytes: Int64, source: String)? {
    var path = path
    while true {
      do throws(SystemError) {
        return (try Files.freeBytes(at: path), "statvfs \(path)")
      } catch {
        let above = Files.parent(of: path)
        guard error.code == ENOENT || error.code == ENOTDIR, above != path else { return nil }
        path = above
      }
    }
  }
}
