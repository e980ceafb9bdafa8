import JobEngine
import JobModel
import Testing

@Suite("Windows, order and wake-ups")
struct PlannerTests {
  private func refresh(_ identifier: JobIdentifier, at cron: String, tolerance: Duration)
    -> JobDefinition
  {
    job(identifier, cron: cron) { $0.tolerance = tolerance }
  }

  @Test func `PL6: the next wake is the earliest end of a window, and starts all that are open`()
    throws
  {
    let runner = try VirtualRunner([
      refresh("com.example.a", at: "0 * * * *", tolerance: .seconds(1200)),
      refresh("com.example.b", at: "10 * * * *", tolerance: .seconds(300)),
      refresh("com.example.c", at: "30 * * * *", tolerance: .zero),
    ])
    try runner.start()
    runner.run(for: .seconds(5400 - 1))
    // a opens at 60:00 and b at 70:00; b's end, 75:00, comes first and takes a along. c is exact.
    #expect(runner.launchSeconds("com.example.a") == [4500])
    #expect(runner.launchSeconds("com.example.b") == [900, 4500])
    #expect(runner.launchSeconds("com.example.c") == [1800])
    #expect(runner.wakeUps.count == 3)
  }

  @Test func `PL6: any other event that wakes the runner starts what is open`() throws {
    let runner = try VirtualRunner([
      refresh("com.example.a", at: "0 * * * *", tolerance: .seconds(1200)), job("com.example.b"),
    ])
    try runner.start()
    runner.run(for: .seconds(3700))
    #expect(runner.launched.isEmpty)
    try runner.submit("com.example.b")
    runner.run(for: .seconds(5))
    #expect(Set(runner.launchSeconds()) == [3700])
    #expect(runner.launched.count == 2)
  }

  @Test func `PL6: nothing that is due later wakes an idle runner before it`() throws {
    let runner = try VirtualRunner([refresh("com.example.a", at: "0 3 * * *", tolerance: .zero)])
    try runner.start()
    runner.run(for: .seconds(86_400))
    #expect(runner.wakeUps.count == 1)
  }

  @Test func `PL10: a clock step re-plans at once, and no instant runs twice`() throws {
    let runner = try VirtualRunner([job(cron: "0 3 * * *")])
    try runner.start()
    runner.run(for: .seconds(60))
    runner.setWall(Now.start.wall + .seconds(3 * 3600 + 30))
    runner.run(for: .seconds(10))
    #expect(runner.launched.count == 1)
    runner.setWall(Now.start.wall + .seconds(2 * 3600))
    runner.run(for: .seconds(2 * 3600))
    #expect(runner.launched.count == 1)
    runner.run(for: .seconds(86_400))
    #expect(runner.launched.count == 2)
  }

  @Test func `a refused claim is not proposed again for the same state`() throws {
    let world = try VirtualRunner([job(every: .seconds(86_400))])
    world.holdsVerdicts = true
    try world.start()
    let before = world.commits.count
    for _ in 0..<50 { world.deliver(.woke) }
    #expect(world.commits.count == before)
  }

  @Test func `each waiting request is announced once for each change of its first unmet gate`()
    throws
  {
    let runner = try VirtualRunner(
      [
        job {
          $0.conditions.requiresExternalPower = true
          $0.conditions.network = .any
        }
      ], device: onBattery())
    try runner.start()
    try runner.submit("com.example.job")
    for percent in 0..<20 { runner.update { $0.batteryPercent.value = percent } }
    #expect(runner.waitingGates == [.requiresExternalPower])
    runner.update {
      $0.externalPower.value = true
      $0.connectivity.value = .none
    }
    #expect(runner.waitingGates == [.requiresExternalPower, .network])
  }

  @Test func `PL16: once each predecessor has succeeded, it is submitted once`() throws {
    let runner = try VirtualRunner([
      job("com.example.a", every: .seconds(3600)), job("com.example.b", every: .seconds(3600)),
      job("com.example.c") { $0.afterSuccessOf = ["com.example.a", "com.example.b"] },
    ])
    runner.host.script = { order, earlier in
      order.request.identifier == "com.example.b" && earlier == 0
        ? .exits(1) : .succeeds(after: .seconds(1))
    }
    try runner.start()
    runner.run(for: .seconds(1800))
    #expect(runner.launchSeconds("com.example.c").isEmpty)
    runner.run(for: .seconds(3600))
    #expect(runner.launchSeconds("com.example.c") == [3601])
    runner.run(for: .seconds(3600))
    #expect(runner.launchSeconds("com.example.c") == [3601, 7201])
  }

  @Test func `PL16: a cancelled follower isn't submitted again for the same successes`() throws {
    let runner = try VirtualRunner(
      [
        job("com.example.a", every: .seconds(86_400)),
        job("com.example.c") {
          $0.afterSuccessOf = ["com.example.a"]
          $0.conditions.requiresExternalPower = true
        },
      ], device: onBattery())
    try runner.start()
    runner.run(for: .seconds(10))
    try runner.commitElsewhere(
      .cancel(
        Cancellation(
          identifier: "com.example.c", key: nil, reason: .userCancelled, at: runner.now.wall)))
    runner.update { $0.externalPower.value = true }
    runner.run(for: .seconds(3600))
    #expect(runner.launchSeconds("com.example.c").isEmpty)
    #expect(try runner.outcomes("com.example.c") == [.cancelled])
  }
}
