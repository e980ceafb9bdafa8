import Foundation
import Testing

/// A folder of its own for one test: a manifest, a state directory, a device that can be changed,
/// and the built `bgrun` to run there.
final class Workplace {
  let folder: String
  let program: String

  var state: String { folder + "/state" }

  /// - Parameter program: the name of the built program, which has the commands of bgrun.
  init(
    _ jobs: String = "", top: String = "version: 1\n", program: String = "bgrun"
  ) throws {
    self.program = Self.built(program)
    folder = try Self.temporaryFolder()
    if !jobs.isEmpty { try write("bgrun.yaml", top + "jobs:\n" + jobs) }
    try setExternalPower(true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// A program that was built with these tests, or, for `make test-static`, one of the same name.
  private static func built(_ name: String) -> String {
    if StaticPrograms.areTested { return "\(StaticPrograms.folder)/\(name)" }
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: tests).deletingLastPathComponent().appending(path: name).path
  }

  /// Whether there is such a program.
  static func isBuilt(_ name: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: built(name))
  }

  /// - Parameter inPlace: whether what has the name, such as a fifo, stays.
  func write(_ name: String, _ text: String, inPlace: Bool = false) throws {
    let path = "\(folder)/\(name)"
    try FileManager.default.createDirectory(
      atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path,
      withIntermediateDirectories: true)
    try text.write(toFile: path, atomically: !inPlace, encoding: .utf8)
  }

  func read(_ name: String) -> String? {
    try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
  }

  /// Makes what handlers of the fixtures wait at until it is opened.
  func makeGate() throws {
    try #require(mkfifo("\(folder)/gate", 0o600) == 0)
  }

  /// Lets the handler that waits at the gate, or comes to it next, go on.
  func openGate() throws {
    let gate = open("\(folder)/gate", O_WRONLY)
    try #require(gate >= 0)
    close(gate)
  }

  /// What the device's mains supply says, as the kernel writes it.
  func setExternalPower(_ isOnline: Bool) throws {
    let supply = "device/sys/class/power_supply"
    try write("\(supply)/AC/type", "Mains\n")
    try write("\(supply)/BAT0/type", "Battery\n")
    try write("\(supply)/BAT0/capacity", "80\n")
    try write("\(supply)/AC/online", isOnline ? "1\n" : "0\n")
  }

  /// Runs `bgrun` with these arguments to its end.
  func bgrun(_ arguments: String..., environment: [String: String] = [:]) throws -> Finished {
    try start(arguments, environment: environment).waitForEnd(seconds: 60)
  }

  /// Starts `bgrun run` on the manifest, logging to standard error.
  func startRunner(_ arguments: String..., environment: [String: String] = [:]) throws
    -> RunningProgram
  {
    try start(["run", "bgrun.yaml"] + arguments, environment: environment)
  }

  /// Starts the program behind another one, such as `unshare`.
  ///
  /// - Parameter name: another program that was built with these tests; nil is the workplace's own.
  func start(
    _ arguments: [String], environment: [String: String] = [:], behind prefix: [String] = [],
    on terminal: TestTerminal? = nil, program name: String? = nil
  ) throws -> RunningProgram {
    // What the thread sanitizer is told passes to the programs, which it watches too.
    let passed = ProcessInfo.processInfo.environment.filter {
      ["TSAN_OPTIONS", "LD_PRELOAD"].contains($0.key)
    }
    let own = [
      "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": folder,
      "LANG": "C.UTF-8", "TZ": "UTC", "BGRUN_STATE": state,
      "BGRUN_DEVICE_ROOT": "\(folder)/device", "BGRUN_MANIFEST": "\(folder)/bgrun.yaml",
    ]
    return try RunningProgram(
      prefix + [name.map(Self.built) ?? program] + arguments,
      environment: own.merging(passed) { $1 }.merging(environment) { $1 }, in: folder, on: terminal)
  }

  /// The rows that `bgrun history --json` prints, newest first.
  func history(_ arguments: String...) throws -> [[String: any Sendable]] {
    let finished = try start(["history", "--json"] + arguments).waitForEnd()
    try #require(finished.status == 0, "\(finished.errors)")
    let rows = try JSONSerialization.jsonObject(with: Data(finished.output.utf8))
    return try #require(rows as? [[String: any Sendable]])
  }

  /// Process numbers whose command line contains `text`.
  static func processes(running text: String) -> [pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.filter { process in
      guard let bytes = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") else {
        return false
      }
      return String(decoding: bytes, as: UTF8.self).replacing("\0", with: " ").contains(text)
    }
  }

  /// The kernel's letter for a process's state; nil when it is gone.
  static func state(of process: pid_t) -> String? {
    let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return stat?.split(separator: ")").last?.split(separator: " ").first.map(String.init)
  }

  /// Blocks until something holds of which nobody tells, such as the state of a process that isn't
  /// a child.
  static func wait(
    until condition: () -> Bool, seconds: Int = 20,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let deadline = Date(timeIntervalSinceNow: Double(seconds))
    while !condition() {
      try #require(Date() < deadline, "waited in vain", sourceLocation: sourceLocation)
      _ = poll(nil, 0, 5)
    }
  }

  /// The children of a process, with the kernel's letter for their state.
  static func children(of parent: pid_t) -> [(process: pid_t, state: String)] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.compactMap { process in
      let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      // The name stands in brackets and may hold anything.
      let fields = stat?.split(separator: ")").last?.split(separator: " ") ?? []
      guard fields.count > 1, pid_t(fields[1]) == parent else { return nil }
      return (process, String(fields[0]))
    }
  }

  private static func temporaryFolder() throws -> String {
    var template = Array("/tmp/bgrun-test-XXXXXX".utf8CString)
    let folder = try #require(mkdtemp(&template))
    return String(cString: folder)
  }
}
