internal import Glibc

/// A file that is read and written at given places.
package struct OpenFile: ~Copyable {
  package let path: String
  private let file: Descriptor

  /// Makes the file, or empties the one that is there.
  package init(making path: String, permissions: UInt32 = 0o600) throws(SystemError) {
    self.path = path
    file = try Descriptor.open(path, O_RDWR | O_CREAT | O_TRUNC, permissions: permissions)
  }

  /// Writes all bytes, the first at `offset`.
  package func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(SystemError) {
    var rest = bytes
    var place = offset
    while !rest.isEmpty {
      let written = unsafe rest.withUnsafeBytes { buffer in
        unsafe pwrite(file.number, buffer.baseAddress, buffer.count, Int(place))
      }
      if written < 0 {
        if errno == EINTR { continue }
        throw .last("write", path)
      }
      rest = rest.dropFirst(written)
      place += Int64(written)
    }
  }

  /// Up to `count` bytes from `offset` on; fewer at the file's end.
  package func read(_ count: Int, at offset: Int64) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let start = filled
      let found = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(
          file.number, buffer.baseAddress! + start, count - start, Int(offset) + start)
      }
      if found < 0 {
        if errno == EINTR { continue }
        throw .last("read", path)
      }
      if found == 0 { break }
      filled += found
    }
    bytes.removeLast(count - filled)
    return bytes
  }

  /// Cuts the file at a size.
  package func truncate(to size: Int64) throws(SystemError) {
    guard ftruncate(file.number, Int(size)) == 0 else { throw .last("ftruncate", path) }
  }
}
