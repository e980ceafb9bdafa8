import JobModel
import LinuxSystem
import Synchronization
import TaskHosts
import Testing

/// Handlers in this process, by the side of the host: it can warn them, and nothing else.
@Suite("The host of handlers in this process")
struct InProcessHostTests {
  /// A handler that does what the test says, and remembers what it was told.
  private final class ScriptedHandler: InProcessRun {
    let launch: WorkerLaunch
    let reports: InProcessReports
    private let told = Mutex<[String]>([])

    init(_ launch: WorkerLaunch, _ reports: InProcessReports) {
      self.launch = launch
      self.reports = reports
    }

    var words: [String] { told.withLock { $0 } }
    func start() { told.withLock { $0.append("start") } }
    func expire(_ reason: Reason) { told.withLock { $0.append(reason.rawValue) } }
  }

  private final class Bench {
    let commands: HostBench
    var host: InProcessHost?
    var handlers: [ScriptedHandler] = []
    var events: [HostEvent] = []
    var loop: EventLoop { commands.loop }

    init() throws {
      commands = try HostBench()
      let keeping = try RunKeeping(
        stateDirectory: commands.state.path, forksAtOnce: false, on: commands.loop)
      let host = InProcessHost(
        stateDirectory: commands.state.path, keeping: keeping, on: commands.loop
      ) { [unowned self] launch, reports in
        let handler = ScriptedHandler(launch, reports)
        handlers.append(handler)
        return handler
      }
      host.deliver = { [unowned self] in events.append($0) }
      self.host = host
    }

    func launch(_ run: Int64) -> ScriptedHandler {
      host?.launch(commands.order(run, .handler("h"), key: "k"))
      return handlers[handlers.count - 1]
    }

    /// Everything that was posted until now.
    func settle() throws {
      var isDone = false
      loop.soon { isDone = true }
      try loop.run(until: { isDone })
    }
  }

  private static func succeeded() -> RunEnding {
    var ending = RunEnding()
    ending.completion = .succeeded
    return ending
  }

  @Test func `a handler is told its run, started once, and its end is the run's`() throws {
    let bench = try Bench()
    let handler = bench.launch(7)
    #expect(bench.events.isEmpty, "nothing before the launch has returned")
    #expect(handler.launch.run == RunNumber(7))
    #expect(handler.launch.handler == "h")
    #expect(handler.launch.key == "k")
    #expect(handler.launch.attempt == 2)
    handler.reports.progressed(ProgressReport(fraction: 0.25))
    handler.reports.completed(.succeeded, progress: 0.5)
    try bench.settle()
    #expect(handler.words == ["start"])
    #expect(
      bench.events == [
        .started(RunNumber(7)), .progressed(RunNumber(7), ProgressReport(fraction: 0.25)),
        .progressed(RunNumber(7), ProgressReport(fraction: 0.5)),
        .ended(RunNumber(7), Self.succeeded()),
      ])
  }

  @Test func `EM1: a kill ends nothing; the run ends when its handler does`() throws {
    let bench = try Bench()
    let handler = bench.launch(1)
    bench.host?.warn(RunNumber(1), reason: .timeLimit)
    bench.host?.kill(RunNumber(1))
    try bench.settle()
    #expect(handler.words == ["start", "timeLimit"])
    #expect(bench.events == [.started(RunNumber(1))])
    handler.reports.completed(.succeeded, progress: nil)
    try bench.settle()
    #expect(bench.events.last == .ended(RunNumber(1), Self.succeeded()))
  }

  @Test func `ST1: a second end, and progress after the end, change nothing`() throws {
    let bench = try Bench()
    let handler = bench.launch(1)
    handler.reports.completed(.succeeded, progress: nil)
    handler.reports.completed(.failed(.handlerThrew, detail: "again"), progress: nil)
    handler.reports.progressed(ProgressReport(fraction: 1))
    try bench.settle()
    #expect(bench.events.count == 2)
    bench.host?.warn(RunNumber(1), reason: .timeLimit)
    #expect(handler.words == ["start"], "what has ended isn't warned")
  }

  @Test func `DU5: the logger's lines are in the run's log, those after the end too`() throws {
    let bench = try Bench()
    let handler = bench.launch(1)
    handler.reports.wrote(Array("one\n".utf8))
    handler.reports.completed(.succeeded, progress: nil)
    handler.reports.wrote(Array("two\n".utf8))
    try bench.settle()
    #expect(bench.commands.output(of: 1) == "one\ntwo\n")
  }

  @Test func `EM1: an end that comes after the host is gone does no harm`() throws {
    let bench = try Bench()
    let handler = bench.launch(1)
    bench.host = nil
    handler.reports.completed(.succeeded, progress: 1)
    handler.reports.wrote(Array("late\n".utf8))
    try bench.settle()
    #expect(bench.events == [])
    #expect(bench.commands.output(of: 1) == "late\n")
  }
}
