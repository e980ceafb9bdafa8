internal import Glibc

/// Reads a file from its start and then whatever is appended to it. Where the file was cut shorter
/// than what was read, as a log over its limit is, it goes on at the new end.
package final class FileTail {
  package let path: String
  private let file: Descriptor

  package init(_ path: String) throws(SystemError) {
    self.path = path
    file = try Descriptor.open(path, O_RDONLY)
  }

  /// The bytes behind those read before, a part of them if they are many; empty at the file's
  /// present end, which is not an error.
  package func next() throws(SystemError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    do {
      guard case .bytes(let count) = try Descriptors.read(file.number, into: &buffer) else {
        skipBackToEnd()
        return []
      }
      return Array(buffer[..<count])
    } catch {
      throw SystemError("read", path, code: error.code)
    }
  }

  private func skipBackToEnd() {
    let place = lseek(file.number, 0, SEEK_CUR)
    let end = lseek(file.number, 0, SEEK_END)
    if place <= end { lseek(file.number, place, SEEK_SET) }
  }
}
