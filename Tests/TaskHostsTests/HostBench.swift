import Glibc
import JobModel
import LinuxSystem
import TaskHosts
import Testing

/// A host with a state directory of its own, and what it told.
final class HostBench {
  let loop: EventLoop
  let state = TemporaryFolder()
  private(set) var events: [HostEvent] = []
  private(set) var host: CommandHost?

  init(_ containment: Keeper.Containment = .automatic) throws {
    loop = try EventLoop()
    let keeping = try RunKeeping(
      stateDirectory: state.path, containment: containment, on: loop)
    let host = CommandHost(
      stateDirectory: state.path, environment: ["PATH": "/usr/bin:/bin", "SECRET": "x"],
      keeping: keeping, on: loop)
    host.deliver = { [unowned self] in events.append($0) }
    self.host = host
  }

  func order(
    _ run: Int64, _ action: JobAction, key: String = "",
    change: (inout JobDefinition) -> Void = { _ in }
  ) -> LaunchOrder {
    let identifier = JobIdentifier("com.example.job")
    var job = JobDefinition(
      identifier: identifier, kind: .processing, action: action, manifestFolder: state.path)
    change(&job)
    let request = RequestRecord(
      id: RequestID(run), identifier: identifier, key: key, kind: .processing, origin: .submission,
      submittedAt: WallInstant(seconds: 1000), notBefore: WallInstant(seconds: 2000), attempt: 2)
    return LaunchOrder(
      run: RunNumber(run), request: request, job: job, startedAt: WallInstant(seconds: 2001),
      deadline: WallInstant(seconds: 3000))
  }

  func launch(
    _ run: Int64, _ script: String, key: String = "",
    change: (inout JobDefinition) -> Void = { _ in }
  ) {
    host?.launch(order(run, .shell(script), key: key, change: change))
  }

  /// Waits for the run's last event.
  func ending(of run: Int64) throws -> RunEnding {
    var found: RunEnding?
    try loop.run(until: {
      for case .ended(RunNumber(run), let ending) in events { found = ending }
      return found != nil
    })
    return try #require(found)
  }

  func waitForOutput(of run: Int64, _ text: String) throws {
    try loop.run(until: { output(of: run).contains(text) })
  }

  func output(of run: Int64) -> String {
    (try? Files.text("\(state.path)/output/com.example.job/\(run).log")) ?? ""
  }

  func release() {
    host = nil
  }
}

extension EventLoop {
  /// Runs the loop until the condition holds; ten seconds are more than anything here takes.
  func run(until condition: () -> Bool, _ location: SourceLocation = #_sourceLocation) throws {
    let limit = Clocks.now().monotonic + 10_000_000_000
    while !condition() {
      let left = limit - Clocks.now().monotonic
      guard left > 0 else {
        Issue.record("nothing happened for ten seconds", sourceLocation: location)
        return
      }
      try runOnce(waitingAtMost: .nanoseconds(left))
    }
  }
}

extension EventLoop {
  /// Waits until a process has ended; one that is gone already can't be watched.
  func waitForEnd(of process: Int32) throws {
    var hasEnded = false
    let watch = try? ProcessWatch(process, on: self) { hasEnded = true }
    try run(until: { hasEnded || watch == nil })
  }
}

/// Whether a process is there and not defunct.
func isAlive(_ process: Int32) -> Bool {
  guard let text = try? Files.text("/proc/\(process)/stat"), let nameEnd = text.lastIndex(of: ")")
  else { return false }
  return text[nameEnd...].dropFirst(2).first != "Z"
}

/// A folder that is gone with its owner.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/bgrun-test-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
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
