import Foundation
import Testing

/// `make test-static`, which names a folder of programs that have Swift's runtime inside.
enum StaticPrograms {
  static let folder = ProcessInfo.processInfo.environment["BGRUN_TESTED_PROGRAMS"] ?? ""
  static let areTested = !folder.isEmpty
}
