import JobEngine
import JobModel
import Testing

private let identifier: JobIdentifier = "com.example.export"

@Suite("Continued tasks that give way")
struct PreemptionTests {
  private func jobs() -> [JobDefinition] {
    [
      job(identifier, kind: .continuedProcessing) {
        $0.maxRunning = 10
        $0.expirationGrace = .seconds(100)
      }, job("com.example.job"),
    ]
  }

  /// Three continued runs: 1 moves at 20 s, 2 never does, 3 at 10 s.
  private func runner(onWarning: Behaviour.OnWarning = .dies) throws -> VirtualRunner {
    let runner = try VirtualRunner(jobs())
    runner.host.script = { order, _ in
      let moves: [Int64: Duration] = [1: .seconds(20), 3: .seconds(10)]
      let move = moves[order.run.value].map { (after: $0, report: ProgressReport(fraction: 0.5)) }
      return Behaviour(
        takes: nil, onWarning: onWarning, reports: [move].compactMap(\.self))
    }
    try runner.start()
    for key in ["a", "b", "c"] {
      try runner.submit(identifier, key: key, kind: .continuedProcessing)
    }
    runner.run(for: .seconds(25))
    return runner
  }

  private func preempted(_ runner: VirtualRunner) throws -> [String] {
    try runner.endedRuns().filter { $0.reason == .preempted }.map(\.key)
  }

  @Test func `CP4: under memory pressure the one with the least recent progress expires first`()
    throws
  {
    let runner = try runner()
    runner.deliver(.memoryPressure)
    runner.run(for: .milliseconds(100))
    #expect(try preempted(runner) == ["b"])
    let row = try #require(try runner.endedRuns().first)
    #expect(row.outcome == .expired)
    #expect(row.detail == "the machine is short of memory")
  }

  @Test func `CP4: pressure that lasts takes the next after a pause, and not before`() throws {
    let runner = try runner()
    for _ in 0..<4 {
      runner.deliver(.memoryPressure)
      runner.run(for: .seconds(2))
    }
    #expect(try preempted(runner) == ["b"])
    runner.run(for: .seconds(2))
    runner.deliver(.memoryPressure)
    runner.run(for: .milliseconds(100))
    #expect(try preempted(runner) == ["b", "c"])
  }

  @Test func `CP4: one that is still on its way out is waited for`() throws {
    let runner = try runner(onWarning: .exits(after: .seconds(60), status: 1))
    runner.deliver(.memoryPressure)
    runner.run(for: .seconds(12))
    runner.deliver(.memoryPressure)
    #expect(runner.warnings == [.preempted])
  }

  @Test func `LC9: a preempted task is pending again, and keeps its attempt`() throws {
    let runner = try runner()
    runner.deliver(.memoryPressure)
    runner.run(for: .milliseconds(100))
    #expect(try runner.snapshot(identifier).heads.map(\.attempt) == [1])
    runner.run(for: .seconds(6))
    #expect(runner.launched.map(\.request.key) == ["a", "b", "c", "b"])
  }

  @Test func `CP4: without a continued task nothing is watched and nothing is preempted`() throws {
    let runner = try VirtualRunner(jobs())
    runner.host.script = { _, _ in .succeeds(after: .seconds(10)) }
    try runner.start()
    try runner.submit("com.example.job")
    runner.run(for: .seconds(1))
    #expect(!runner.watchesMemory)
    runner.deliver(.memoryPressure)
    #expect(runner.warnings.isEmpty)
    try runner.submit(identifier, kind: .continuedProcessing)
    runner.run(for: .seconds(1))
    #expect(runner.watchesMemory)
    runner.run(for: .seconds(20))
    #expect(!runner.watchesMemory)
  }

  @Test func `CP4: a reload that lowers the limit preempts what is too many`() throws {
    let runner = try runner()
    var limits = ConcurrencyLimits(total: 2)
    limits.continuedProcessing = 1
    runner.deliver(
      .reloaded(JobSet(app: "com.example", concurrency: limits, jobs: jobs(), digest: "2")))
    runner.run(for: .seconds(1))
    #expect(Set(try preempted(runner)) == ["b", "c"])
    #expect(
      try runner.endedRuns().map(\.detail)
        == Array(
          repeating: "concurrency.continuedProcessing is 1 now", count: 2))
    #expect(try runner.snapshot(identifier).live.map(\.request.key) == ["a"])
  }
}
