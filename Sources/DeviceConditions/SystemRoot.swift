internal import LinuxSystem

/// The folder under which the kernel's files are read: "/", or a copy of its layout that a person
/// or a test writes to.
package struct SystemRoot: Sendable {
  package static let real = SystemRoot("/")

  /// Without a slash at the end; empty for the real root.
  private let prefix: String

  package init(_ path: String) {
    var path = Substring(path)
    while path.last == "/" { path.removeLast() }
    prefix = String(path)
  }

  package var isReal: Bool { prefix.isEmpty }

  /// Where the kernel tells of a shortage of memory (CP4).
  package var memoryPressureFile: String { absolute(MemoryPressure.file) }

  /// Where `path`, which starts with a slash, is under this root.
  func absolute(_ path: String) -> String { prefix + path }

  /// The names in a folder, sorted; nil when it can't be read.
  func entries(of folder: String) -> [String]? {
    try? Files.list(absolute(folder))
  }

  /// The first line of a file; nil when it can't be read.
  func line(of file: String) -> String? {
    guard let bytes = try? Files.read(absolute(file)) else { return nil }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  /// The whole text of a file; nil when it can't be read.
  func text(of file: String) -> String? { try? Files.text(absolute(file)) }

  func number(of file: String) -> Int64? { line(of: file).flatMap { Int64($0) } }
}
