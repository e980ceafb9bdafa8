import Glibc
import Synchronization
import Testing

/// A new, empty folder, removed with everything in it when the test process exits: a store may be
/// open for as long as any test likes.
struct TemporaryFolder: Sendable {
  let path: String

  private static let created = Mutex<[String]>([])
  private static let removesAtExit: Bool =
    atexit { TemporaryFolder.created.withLock { $0 }.forEach(TemporaryFolder.removeTree) } == 0

  init() throws {
    try #require(Self.removesAtExit)
    var template = Array("/tmp/bgrun-store-XXXXXX".utf8CString)
    let path = try #require(
      template.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
      })
    Self.created.withLock { $0.append(path) }
    self.path = path
  }

  private static func removeTree(_ path: String) {
    for name in names(in: path) {
      let entry = "\(path)/\(name)"
      if unlink(entry) != 0 { removeTree(entry) }
    }
    rmdir(path)
  }

  /// The names in a folder, without the two that every folder has.
  static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
