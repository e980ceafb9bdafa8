import JobEngine
import JobModel
import StoreConformance
import Testing

/// The place of a run goes to what waits for it in the transaction that records the run's end.
@Suite("Who takes the place of a run that has ended")
struct SuccessionTests {
  /// Runs of two seconds in one place, the first of which is running.
  private func runner(_ jobs: [JobDefinition], total: Int = 1) throws -> VirtualRunner {
    let runner = try VirtualRunner(jobs, limits: ConcurrencyLimits(total: total))
    runner.host.script = { _, _ in .succeeds(after: .seconds(2)) }
    try runner.start()
    try runner.submit("com.example.job", key: "first")
    runner.run(for: .seconds(1))
    #expect(runner.launched.count == 1)
    return runner
  }

  private func names(_ commit: [Transition]) -> [String] {
    commit.compactMap { transition in
      switch transition {
      case .end: "end"
      case .claim: "claim"
      default: nil
      }
    }
  }

  @Test func `one transaction records an end and claims the next run, in this order`() throws {
    let runner = try runner([job()])
    for key in ["second", "third"] { try runner.submit("com.example.job", key: key) }
    runner.run(for: .seconds(10))
    #expect(try runner.outcomes() == [.succeeded, .succeeded, .succeeded])
    #expect(
      runner.commits.map(names).filter { !$0.isEmpty } == [
        ["claim"], ["end", "claim"], ["end", "claim"], ["end"],
      ])
  }

  @Test func `PL5: the place of the whole runner goes to another job in the same way`() throws {
    let runner = try runner([job(), job("com.example.other")])
    try runner.submit("com.example.other")
    runner.run(for: .seconds(10))
    #expect(runner.commits.map(names).contains(["end", "claim"]))
    #expect(runner.launched.count == 2)
  }

  @Test func `ST2: nothing is launched before the end is recorded, and only one run for one place`()
    throws
  {
    let runner = try runner([job()])
    for key in ["second", "third"] { try runner.submit("com.example.job", key: key) }
    runner.run(for: .milliseconds(500))
    runner.holdsVerdicts = true
    runner.run(for: .seconds(60))
    #expect(runner.launched.count == 1)
    #expect(runner.commits.joined().count { if case .claim = $0 { true } else { false } } == 2)
  }

  @Test func `SB1: the next run of the same key waits until the end is recorded`() throws {
    let runner = try runner([job { $0.maxRunning = 2 }], total: 2)
    try runner.submit("com.example.job", key: "first")
    runner.run(for: .seconds(10))
    #expect(
      runner.commits.map(names).filter { !$0.isEmpty } == [["claim"], ["end"], ["claim"], ["end"]])
  }

  @Test func `DU4: a store that takes neither keeps the end and starts nothing`() throws {
    let runner = try runner([job()])
    try runner.submit("com.example.job", key: "second")
    runner.run(for: .milliseconds(500))
    runner.world.fail(with: StoreFailure(cause: .diskFull, sentence: "no space left"))
    runner.run(for: .seconds(10))
    #expect(runner.launched.count == 1)
    runner.world.fail(with: nil)
    runner.run(for: .seconds(60))
    #expect(try runner.outcomes() == [.succeeded, .succeeded])
  }
}
