import JobEngine
import JobModel
import StoreConformance
import Testing

/// Programs that hold background tasks, as the engine hears of them (PL14).
@Suite("Stops and background tasks")
struct HeldWorkTests {
  private let first = RunNumber(1)

  /// A runner with one run that ignores its warning; its handler's grace is 1 s.
  private func running(
    _ onWarning: Behaviour.OnWarning = .ignores,
    _ configure: (inout EngineConfiguration) -> Void = { _ in }
  ) throws -> VirtualRunner {
    let runner = try VirtualRunner(
      [job(every: .seconds(86_400)) { $0.expirationGrace = .seconds(1) }], configure: configure)
    runner.host.script = { _, _ in Behaviour(takes: .seconds(60), onWarning: onWarning) }
    try runner.start()
    runner.run(for: .seconds(5))
    return runner
  }

  private func hold(_ runner: VirtualRunner, runs: Set<RunNumber> = [], programs: Int = 1) {
    runner.deliver(.host(.holding(HeldWork(programs: programs, runs: runs))))
  }

  private func secondsSinceStop(_ runner: VirtualRunner) -> Double {
    (runner.now.monotonic - Now.start.monotonic).inSeconds - 5
  }

  private func secondsFromStopToEnd(_ runner: VirtualRunner) throws -> Double? {
    try runner.history().first.map { ($0.endedAt - Now.start.wall).inSeconds - 5 }
  }

  @Test func `PL14: with a task begun, the bound is the background time and 2 s`() throws {
    let runner = try running()
    hold(runner, runs: [first])
    runner.stop()
    #expect(runner.stopBounds == [.seconds(32)])
    #expect(
      runner.notices.contains(.finishingInBackground(programs: 1, atMost: .seconds(32))))
    runner.run(for: .seconds(60))
    // The run keeps the time of the tasks, then it is killed.
    #expect(try secondsFromStopToEnd(runner) == 31.5)
    #expect(try runner.history().first?.outcome == .interrupted)
    #expect(secondsSinceStop(runner) == 32)
  }

  @Test func `PL14: when the tasks end, what runs has its own grace again, and the stop ends`()
    throws
  {
    let runner = try running()
    hold(runner, runs: [first])
    runner.stop()
    runner.run(for: .seconds(10))
    #expect(runner.summary == nil)
    hold(runner, programs: 0)
    runner.run(for: .seconds(1))
    #expect(runner.summary != nil)
    #expect(try secondsFromStopToEnd(runner) == 11)
  }

  @Test func `PL14: a task that is begun during the stop has its time too`() throws {
    let runner = try running()
    runner.stop()
    #expect(runner.stopBounds == [.seconds(3)])
    runner.run(for: .milliseconds(500))
    hold(runner, runs: [first])
    #expect(runner.stopBounds == [.seconds(3), .milliseconds(31_500)])
    runner.run(for: .seconds(60))
    #expect(try secondsFromStopToEnd(runner) == 31.5)
  }

  @Test func `BG1: a stop waits for work whose run is over, and not longer`() throws {
    let runner = try running(.dies)
    hold(runner, runs: [first])
    runner.stop()
    runner.run(for: .seconds(3))
    #expect(try runner.history().first?.outcome == .interrupted)
    #expect(runner.summary == nil)
    hold(runner, programs: 0)
    #expect(runner.summary != nil)
  }

  @Test func `PL14: work that never ends doesn't hold the stop beyond its bound`() throws {
    let runner = try running(.dies)
    hold(runner)
    runner.stop()
    runner.run(for: .seconds(60))
    #expect(runner.summary != nil)
    #expect(secondsSinceStop(runner) == 32)
  }

  @Test func `PL14: a second signal waits for no background task`() throws {
    let runner = try running()
    hold(runner, runs: [first])
    runner.stop()
    runner.run(for: .seconds(2))
    runner.deliver(.stop(.immediate))
    runner.run(for: .milliseconds(100))
    #expect(runner.summary != nil)
  }

  @Test func `LC5: a time limit kills at the grace's end, whatever is held`() throws {
    let runner = try VirtualRunner([
      job(every: .seconds(86_400)) {
        $0.timeLimit = .seconds(10)
        $0.expirationGrace = .seconds(1)
      }
    ])
    runner.host.script = { _, _ in Behaviour(takes: nil, onWarning: .ignores) }
    try runner.start()
    hold(runner, runs: [first])
    runner.run(for: .seconds(20))
    #expect(try runner.history().first?.outcome == .terminated)
    #expect(try runner.history().first.map { ($0.endedAt - Now.start.wall).inSeconds } == 11)
  }

  @Test func `PL20: --once waits for the background tasks of what it ran`() throws {
    let runner = try running { $0.mode = .once }
    hold(runner, runs: [first])
    runner.run(for: .seconds(100))
    #expect(try runner.history().first?.outcome == .succeeded)
    #expect(runner.summary == nil)
    let told = Notice.finishingInBackground(programs: 1, atMost: .seconds(32))
    #expect(runner.notices.count { $0 == told } == 1)
    hold(runner, programs: 0)
    #expect(runner.summary?.succeeded == 1)
  }

  @Test func `BG5: a leak is told with the run that it belongs to`() throws {
    let runner = try running()
    let leak = HostEvent.leaked(first, "com.example.job", detail: "1 background task")
    runner.deliver(.host(leak))
    #expect(
      runner.notices.contains(.leaked(first, "com.example.job", detail: "1 background task")))
  }
}
