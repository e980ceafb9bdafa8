import DeviceConditions
import Glibc
import LinuxSystem

/// A folder laid out like the kernel's, written by a test and removed with it.
final class KernelFiles {
  let path: String
  var root: SystemRoot { SystemRoot(path) }

  init() throws {
    var template = Array("/tmp/bgrun-device-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw SystemError("mkdtemp", "/tmp", code: errno)
    }
    path = String(cString: made)
  }

  deinit { Self.remove(path) }

  /// Writes files, folders above them included; each text gets the line end that sysfs gives.
  func write(_ files: [String: String]) throws {
    for (file, text) in files {
      let full = path + file
      try Files.makeFolders(Files.parent(of: full))
      try Files.write(Array("\(text)\n".utf8), to: full)
    }
  }

  /// Puts a file in the place of one, as services that write whole files do.
  func replace(_ file: String, with text: String) throws {
    let full = path + file
    try Files.write(Array("\(text)\n".utf8), to: "\(full).new")
    guard rename("\(full).new", full) == 0 else { throw SystemError("rename", full, code: errno) }
  }

  /// Writes the attributes of one power supply.
  func supply(_ name: String, _ attributes: [String: String]) throws {
    for (attribute, text) in attributes {
      try write(["/sys/class/power_supply/\(name)/\(attribute)": text])
    }
  }

  func remove(_ file: String) { Self.remove(path + file) }

  private static func remove(_ path: String) {
    for name in (try? Files.list(path)) ?? [] { remove("\(path)/\(name)") }
    if rmdir(path) != 0 { unlink(path) }
  }
}
