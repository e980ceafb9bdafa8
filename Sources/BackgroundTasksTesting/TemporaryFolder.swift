import Glibc
import LinuxSystem

/// A folder of one test, which goes with its owner.
final class TemporaryFolder {
  let path: String

  init() throws(SimulationError) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/background-tasks-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      let reason = SystemError.reason(of: errno)
      throw SimulationError("no folder for a test's requests can be made in \(parent): \(reason)")
    }
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
