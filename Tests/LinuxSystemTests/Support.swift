import Glibc
import LinuxSystem
import Testing

extension EventLoop {
  /// Runs the loop until the condition holds; ten seconds are more than anything here takes.
  func run(
    until condition: () -> Bool, _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let limit = Clocks.now().monotonic + 10_000_000_000
    while !condition() {
      let left = limit - Clocks.now().monotonic
      guard left > 0 else {
        Issue.record("nothing happened for ten seconds", sourceLocation: sourceLocation)
        return
      }
      try runOnce(waitingAtMost: .nanoseconds(left))
    }
  }
}

extension EventLoop {
  /// Waits until every one of the processes has ended.
  func waitForEnd(of processes: [Int32]) throws {
    var left = processes.count
    // A process that is gone already can't be watched.
    let watches = processes.map { process in
      let watch = try? ProcessWatch(process, on: self) { left -= 1 }
      if watch == nil { left -= 1 }
      return watch
    }
    try run(until: { left == 0 })
    withExtendedLifetime(watches) {}
  }
}

/// A pipe whose text is collected on the loop.
final class Output {
  private let pipe: Pipe
  private var watch: Watch?
  private(set) var text = ""

  init(on loop: EventLoop) throws {
    pipe = try Pipe()
    watch = try loop.watch(pipe.readEnd, for: .readable) { [unowned self] _ in drain() }
  }

  /// The end that programs write to.
  var descriptor: Int32 { pipe.writeEnd }

  var lines: [Substring] { text.split(separator: "\n") }

  func drain() {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case .bytes(let count)? = try? Descriptors.read(pipe.readEnd, into: &buffer) {
      text += String(decoding: buffer[..<count], as: UTF8.self)
    }
  }
}

/// A folder that is gone with its owner.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/bgrun-test-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { buffer in
      String(cString: mkdtemp(buffer.baseAddress!))
    }
  }

  deinit {
    remove(path)
  }

  private func remove(_ path: String) {
    for name in (try? Files.list(path)) ?? [] {
      let inner = "\(path)/\(name)"
      if unlink(inner) != 0 { remove(inner) }
    }
    rmdir(path)
  }
}

/// Whether a process is there and not defunct.
func isAlive(_ process: Int32) -> Bool {
  guard let text = try? Files.text("/proc/\(process)/stat"),
    let nameEnd = text.lastIndex(of: ")")
  else { return false }
  return text[nameEnd...].dropFirst(2).first != "Z"
}
