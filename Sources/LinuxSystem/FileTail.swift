internal import Glibc

/// Reads a file from its start and then whatever is appended to it.
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
        return []
      }
      return Array(buffer[..<count])
    } catch {
      throw SystemError("read", path, code: error.code)
    }
  }
}
