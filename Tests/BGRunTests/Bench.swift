import BGRun
import JobModel
import LinuxSystem
import SQLiteStore
import Testing

/// A place to run commands in: a folder of its own, a fixed clock, and streams that keep what is
/// written.
final class Bench {
  /// What one command came to.
  struct Outcome: Equatable {
    var code: ExitCode
    var output: String
    var errors: String
  }

  static let start = WallInstant(seconds: 1_795_000_000)

  private let temporary: TemporaryFolder
  var environment: [String: String]
  var isSuperuser = false
  var now = Bench.start
  /// Happens whenever a command reads the clock: between two of its looks at the store.
  var clockRead: () throws -> Void = {}

  init() throws {
    temporary = try TemporaryFolder()
    environment = ["HOME": temporary.path, "TZ": "UTC"]
  }

  var folder: String { temporary.path }

  /// The state folder that a manifest without an app has.
  var state: String { "\(folder)/.local/state/bgrun/default" }

  func openStore(_ path: String? = nil) throws -> SQLiteStore {
    try SQLiteStore(path: path ?? state)
  }

  func write(_ text: String, to path: String) throws {
    try Files.makeFolders(Files.parent(of: "\(folder)/\(path)"))
    try Files.write(Array(text.utf8), to: "\(folder)/\(path)")
  }

  /// Runs one command with an empty input; paths in what it says start with `~`.
  func run(_ arguments: String..., isTerminal: Bool = false) -> Outcome {
    run(arguments, isTerminal: isTerminal)
  }

  func run(_ arguments: [String], isTerminal: Bool = false) -> Outcome {
    let output = Captured()
    let errors = Captured()
    let code = Program().run(
      context(
        arguments, output: output.sink(isTerminal: isTerminal),
        errors: errors.sink(isTerminal: isTerminal)))
    return Outcome(
      code: code, output: output.text.replacing(folder, with: "~"),
      errors: errors.text.replacing(folder, with: "~"))
  }
}

extension Bench {
  /// A context of this place with an empty input.
  func context(_ arguments: [String], output: TextSink, errors: TextSink) -> CommandContext {
    CommandContext(
      arguments: arguments, environment: environment, currentFolder: folder,
      isSuperuser: isSuperuser, input: TextSource(descriptor: -1, isTerminal: false),
      output: output, errors: errors,
      now: {
        #expect(throws: Never.self) { try self.clockRead() }
        return Now(wall: self.now, monotonic: MonotonicInstant(nanoseconds: 0))
      },
      watchInterrupts: { _, _ in self }, watchSuspensions: { _, _ in self },
      isInForeground: { true })
  }
}

/// Keeps what a sink delivers.
final class Captured {
  private var bytes: [UInt8] = []

  var text: String { String(decoding: bytes, as: UTF8.self) }

  func sink(isTerminal: Bool = false, columns: Int? = nil) -> TextSink {
    TextSink(isTerminal: isTerminal, columns: columns) { delivered in
      self.bytes += delivered
      return nil
    }
  }
}
