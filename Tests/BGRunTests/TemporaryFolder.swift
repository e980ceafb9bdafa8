import Glibc
import LinuxSystem

/// A folder that goes with its owner.
final class TemporaryFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/bgrun-tests-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError("mkdtemp", code: errno) }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    Self.remove(path)
  }

  private static func remove(_ path: String) {
    for name in (try? Files.list(path)) ?? [] {
      let child = "\(path)/\(name)"
      if unlink(child) != 0 { remove(child) }
    }
    rmdir(path)
  }
}
