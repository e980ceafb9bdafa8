import JobEngine
import JobModel
import Testing

/// `requiresExternalPower`, every day from the first sight on, with one strategy.
private func powered(_ strategy: SubmissionStrategy, every interval: Duration = .seconds(86_400))
  -> JobDefinition
{
  job(every: interval) {
    $0.conditions.requiresExternalPower = true
    $0.strategy = strategy
  }
}

@Suite("Strategies: what unmet conditions do to a due request")
struct StrategyTests {
  @Test func `SB7: queue waits, says so, and runs once when mains comes`() throws {
    let runner = try VirtualRunner([powered(.queue)], device: onBattery())
    try runner.start()
    runner.run(for: .seconds(600))
    #expect(runner.launched.isEmpty)
    #expect(runner.waitingGates == [.requiresExternalPower])
    runner.update { $0.externalPower.value = true }
    runner.run(for: .seconds(600))
    #expect(runner.launchSeconds() == [600])
    #expect(try runner.outcomes() == [.succeeded])
  }

  @Test(arguments: [
    (SubmissionStrategy.fail, Outcome.failed, Reason.strategyFail),
    (.skip, .skipped, .strategySkip),
  ])
  func `SB7: fail and skip leave one row, with the condition, and never run late`(
    strategy: SubmissionStrategy, outcome: Outcome, reason: Reason
  ) throws {
    let runner = try VirtualRunner([powered(strategy)], device: onBattery())
    try runner.start()
    runner.run(for: .seconds(600))
    runner.update { $0.externalPower.value = true }
    runner.run(for: .seconds(3600))
    let rows = try runner.history()
    #expect(rows.map(\.outcome) == [outcome])
    #expect(rows.map(\.reason) == [reason])
    #expect(rows.map(\.detail) == ["requiresExternalPower"])
    #expect(rows.map(\.run) == [nil])
    #expect(runner.launched.isEmpty)
  }

  @Test func `SB7: skip decides at each due instant`() throws {
    let runner = try VirtualRunner([powered(.skip, every: .seconds(60))], device: onBattery())
    try runner.start()
    runner.run(for: .seconds(150))
    runner.update { $0.externalPower.value = true }
    runner.run(for: .seconds(60))
    #expect(
      try runner.history().map(\.reason) == [.strategySkip, .strategySkip, .strategySkip, nil])
    #expect(runner.launchSeconds() == [180])
  }

  @Test func `SB7: limits aren't conditions; a due request that only they hold is decided`() throws
  {
    let blocker = job("com.example.blocker", every: .seconds(86_400))
    var skipping = powered(.skip)
    skipping.identifier = "com.example.skipping"
    let runner = try VirtualRunner([blocker, skipping], limits: ConcurrencyLimits(total: 1))
    runner.host.script = { order, _ in
      .succeeds(
        after: order.request.identifier == "com.example.blocker" ? .seconds(100) : .seconds(1))
    }
    try runner.start()
    runner.run(for: .seconds(50))
    runner.update { $0.externalPower.value = false }
    runner.run(for: .seconds(100))
    // Decided while the condition held: it waits for power now, and isn't skipped.
    #expect(try runner.history(skipping.identifier).isEmpty)
    runner.update { $0.externalPower.value = true }
    runner.run(for: .seconds(10))
    #expect(try runner.outcomes(skipping.identifier) == [.succeeded])
  }

  @Test func `SB7: work that was put back always queues`() throws {
    let runner = try VirtualRunner([powered(.skip)])
    runner.host.script = { _, earlier in earlier == 0 ? .runsForEver : .succeeds(after: .seconds(1))
    }
    try runner.start()
    runner.run(for: .seconds(60))
    runner.update { $0.externalPower.value = false }
    runner.run(for: .seconds(3600))
    #expect(try runner.outcomes() == [.expired])
    runner.update { $0.externalPower.value = true }
    runner.run(for: .seconds(60))
    #expect(try runner.outcomes() == [.expired, .succeeded])
  }

  @Test func `SB7: fail is never retried`() throws {
    let runner = try VirtualRunner(
      [
        job(every: .seconds(86_400)) {
          $0.conditions.network = .any
          $0.strategy = .fail
          $0.retry.maxAttempts = 5
        }
      ],
      device: {
        var device = DeviceState.assumed(at: Now.start.wall)
        device.connectivity.value = .none
        return device
      }())
    try runner.start()
    runner.run(for: .seconds(80_000))
    #expect(try runner.history().map(\.reason) == [.strategyFail])
  }
}
