import LinuxSystem

/// The program of the Swift toolchain that prints the backtrace of a crash into a run's log.
package struct Backtracer {
  private static let runtime = "/libswiftCore.so"

  /// This program's own file.
  private let executable: String?
  /// The file of Swift's runtime; nil where that is part of the program.
  private let library: String?
  private let isExecutable: (String) -> Bool

  package init(executable: String?, library: String?, isExecutable: @escaping (String) -> Bool) {
    self.executable = executable
    self.library = library
    self.isExecutable = isExecutable
  }

  /// That of this process.
  static func own(executable: String?) -> Backtracer {
    let mapped = (try? Files.text("/proc/self/maps")) ?? ""
    let library = mapped.split(separator: "\n").first { $0.hasSuffix(runtime) }
      .map { String($0.drop { $0 != "/" }) }
    return Backtracer(
      executable: executable, library: library, isExecutable: Files.isExecutable)
  }

  /// Where it is: shipped beside the program, or where the toolchain has it; nil where it isn't. Then
  /// the runtime mustn't be asked for a backtrace: it would begin each run's log by saying that it
  /// doesn't find the program.
  package var path: String? {
    candidates.first(where: isExecutable)
  }

  private var candidates: [String] {
    let names = ["swift-backtrace", "swift-backtrace-static"]
    var found = executable.map { [Files.parent(of: $0) + "/swift-backtrace-static"] } ?? []
    guard let library else { return found }
    let folder = Files.parent(of: library)
    found += names.map { "\(folder)/\($0)" }
    // A toolchain has the library in lib/swift/linux, and the program beside lib.
    let suffix = "/lib/swift/linux"
    guard folder.hasSuffix(suffix) else { return found }
    for place in ["libexec/swift/linux", "libexec/swift"] {
      found += names.map { "\(folder.dropLast(suffix.count))/\(place)/\($0)" }
    }
    return found
  }
}
