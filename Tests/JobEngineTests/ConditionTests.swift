import JobEngine
import JobModel
import Testing

/// A ten-minute job on mains power.
private func longJob(_ change: (inout JobDefinition) -> Void = { _ in }) -> JobDefinition {
  job(every: .seconds(86_400)) {
    $0.conditions.requiresExternalPower = true
    change(&$0)
  }
}

@Suite("Conditions while a job runs")
struct ConditionTests {
  private func runner(
    _ definition: JobDefinition, conditionGrace: Duration = .seconds(10)
  ) throws -> VirtualRunner {
    var lifecycle = LifecycleLimits()
    lifecycle.conditionGrace = conditionGrace
    let runner = try VirtualRunner([definition], lifecycle: lifecycle)
    runner.host.script = { _, _ in .succeeds(after: .seconds(600)) }
    try runner.start()
    runner.run(for: .seconds(300))
    return runner
  }

  @Test func `PL4: lost for a second within conditionGrace, it goes on`() throws {
    let runner = try runner(longJob(), conditionGrace: .seconds(2))
    runner.update { $0.externalPower.value = false }
    runner.run(for: .seconds(1))
    runner.update { $0.externalPower.value = true }
    runner.run(for: .seconds(600))
    #expect(try runner.outcomes() == [.succeeded])
  }

  @Test func `PL4: unplugged for an hour, it expires, waits and runs again with its attempt`()
    throws
  {
    let runner = try runner(longJob())
    runner.update { $0.externalPower.value = false }
    runner.run(for: .seconds(3600))
    let expired = try runner.history()
    #expect(expired.map(\.outcome) == [.expired])
    #expect(expired.map(\.reason) == [.requiresExternalPower])
    #expect((expired[0].endedAt - Now.start.wall).inSeconds == 310)
    runner.update { $0.externalPower.value = true }
    runner.run(for: .seconds(700))
    #expect(try runner.outcomes() == [.expired, .succeeded])
    #expect(try runner.endedRuns().map(\.attempt) == [1, 1])
  }

  @Test func `PL4: whenLost continue goes on to its end`() throws {
    let runner = try runner(longJob { $0.whenLost = .continue })
    runner.update { $0.externalPower.value = false }
    runner.run(for: .seconds(3600))
    #expect(try runner.outcomes() == [.succeeded])
  }

  @Test func `PL1: free space is sampled only while a job needs it, and read before the start`()
    throws
  {
    let runner = try VirtualRunner([
      job(cron: "0 3 * * *") { $0.conditions.minimumFreeSpace = FreeSpaceRequirement(bytes: 1) }
    ])
    try runner.start()
    #expect(runner.observedPaths.isEmpty)
    runner.run(for: .seconds(3 * 3600))
    #expect(runner.observedPaths == [""])
    #expect(runner.launched.count == 1)
    runner.run(for: .seconds(60))
    #expect(runner.observedPaths.isEmpty)
  }

  @Test func `PL14: a path that can't be read holds nobody for ever`() throws {
    let space = FreeSpaceRequirement(path: "/missing", bytes: 1)
    let runner = try VirtualRunner([
      job(every: .seconds(86_400)) { $0.conditions.minimumFreeSpace = space }
    ])
    try runner.start()
    runner.run(for: .seconds(60))
    #expect(runner.launchSeconds() == [5])
  }

  @Test func `PL1, RG7: it is sampled for what a pattern permits, too`() throws {
    let runner = try VirtualRunner([
      job("com.example.export.*") {
        $0.kind = .continuedProcessing
        $0.conditions.minimumFreeSpace = FreeSpaceRequirement(bytes: 1)
      }
    ])
    try runner.start()
    try runner.submit("com.example.export.photos") { $0.kind = .continuedProcessing }
    runner.run(for: .seconds(1))
    #expect(runner.launched.count == 1)
  }

  @Test func `PL1: a condition without a source is reported once as assumed`() throws {
    let runner = try VirtualRunner([
      longJob(), job("com.example.other") { $0.conditions.network = .any },
    ])
    try runner.start()
    runner.update { $0.batteryPercent.value = 40 }
    let assumed = runner.notices.compactMap { notice -> Reason? in
      if case .assumed(let condition) = notice { condition } else { nil }
    }
    #expect(assumed == [.requiresExternalPower, .network])
  }

  @Test func `PL1: idleness opens by itself, at the time that was said`() throws {
    var device = DeviceState.assumed(at: Now.start.wall)
    device.userActivity = Reading(
      .idle(since: Now.start.wall), source: "test", since: Now.start.wall)
    let runner = try VirtualRunner(
      [job(every: .seconds(86_400)) { $0.conditions.requiresIdle = .seconds(300) }], device: device)
    try runner.start()
    runner.run(for: .seconds(600))
    #expect(runner.launchSeconds() == [300])
  }

  @Test func `SB12: a request's own condition is added to the manifest's`() throws {
    let runner = try VirtualRunner([job()], device: onBattery())
    try runner.start()
    try runner.submit("com.example.job") { $0.gateClass.requiresExternalPower = true }
    try runner.submit("com.example.job", key: "free")
    runner.run(for: .seconds(60))
    #expect(runner.launched.map(\.request.key) == ["free"])
  }
}
