import JobEngine
import JobModel
import StoreConformance
import Testing

@Suite("run --once and --drain")
struct OnceTests {
  private func runner(
    _ jobs: [JobDefinition], _ mode: EngineConfiguration.Mode, device: DeviceState? = nil,
    selection: Set<JobIdentifier>? = nil,
    script: @escaping @Sendable (LaunchOrder, Int) -> Behaviour = { _, _ in
      .succeeds(after: .seconds(1))
    }
  ) throws -> VirtualRunner {
    let runner = try VirtualRunner(jobs, device: device) {
      $0.mode = mode
      $0.selection = selection
    }
    runner.host.script = script
    try runner.start()
    return runner
  }

  @Test func `PL20: once runs what is due, records it and finishes`() throws {
    let runner = try runner([job(every: .seconds(3600))], .once)
    runner.run(for: .seconds(60))
    #expect(try runner.outcomes() == [.succeeded])
    #expect(runner.summary?.succeeded == 1)
    #expect(runner.summary?.failed == 0)
    #expect(runner.now.monotonic - Now.start.monotonic == .seconds(1))
  }

  @Test func `PL20: once with nothing to do finishes at once`() throws {
    let runner = try runner([job(), job("com.example.cron", cron: "0 3 * * *")], .once)
    #expect(runner.summary == Summary())
  }

  @Test func `PL20: once waits for no retry, prints what waits, and counts the failure`() throws {
    let failing = job(every: .seconds(3600)) { $0.retry.maxAttempts = 3 }
    let waiting = job("com.example.power", every: .seconds(3600)) {
      $0.conditions.requiresExternalPower = true
    }
    let runner = try runner([failing, waiting], .once, device: onBattery()) { _, _ in .exits(1) }
    runner.run(for: .seconds(600))
    #expect(runner.launched.count == 1)
    #expect(runner.summary?.failed == 1)
    #expect(runner.summary?.waiting.map(\.gate.gate) == [.retryDelay, .requiresExternalPower])
  }

  @Test func `PL20: once never runs an instant that comes due while it works`() throws {
    let runner = try runner([job(every: .seconds(1))], .once) { _, _ in
      .succeeds(after: .seconds(30))
    }
    runner.run(for: .seconds(600))
    #expect(runner.launched.count == 1)
  }

  @Test func `PL20: once runs a follower of what it ran`() throws {
    let follower = job("com.example.next") { $0.afterSuccessOf = ["com.example.job"] }
    let runner = try runner([job(every: .seconds(3600)), follower], .once)
    runner.run(for: .seconds(60))
    #expect(runner.launched.map(\.request.identifier) == ["com.example.job", "com.example.next"])
    #expect(runner.summary?.succeeded == 2)
  }

  @Test func `PL20: drain waits for retries, and a retry that succeeds is no failure`() throws {
    let retried = job(every: .seconds(3600)) { $0.retry.maxAttempts = 3 }
    let runner = try runner([retried], .drain) { _, earlier in .exits(earlier < 2 ? 1 : 0) }
    runner.run(for: .seconds(3000))
    #expect(runner.launched.count == 3)
    #expect(runner.summary?.failed == 0)
    #expect(runner.summary?.succeeded == 1)
  }

  @Test func `PL20: drain waits for conditions, never for future instants`() throws {
    let powered = job(every: .seconds(3600)) { $0.conditions.requiresExternalPower = true }
    let runner = try runner([powered], .drain, device: onBattery())
    runner.run(for: .seconds(7200))
    #expect(runner.summary == nil)
    runner.update { $0.externalPower.value = true }
    runner.run(for: .seconds(10))
    #expect(runner.launched.count == 1)
    #expect(runner.summary?.succeeded == 1)
  }

  @Test func `PL20: drain doesn't wait for jobs that are switched off`() throws {
    let off = job { $0.isEnabled = false }
    let runner = try VirtualRunner([off]) { $0.mode = .drain }
    _ = runner.store.commit(
      [
        .submit(
          Submission(
            identifier: off.identifier, kind: .processing, submittedAt: runner.now.wall))
      ], at: runner.now.wall, headLimit: 1)
    try runner.start()
    #expect(runner.summary?.waiting.map(\.gate.gate) == [.disabled])
  }

  @Test func `PL20: --job schedules and runs only what it names`() throws {
    let runner = try runner(
      [job("com.example.a", every: .seconds(60)), job("com.example.b", every: .seconds(60))],
      .once, selection: ["com.example.b"])
    runner.run(for: .seconds(60))
    #expect(runner.launched.map(\.request.identifier) == ["com.example.b"])
    #expect(try runner.snapshot("com.example.a").record.anchor == nil)
  }

  @Test func `PL14: a stop ends once early, and what ran is interrupted`() throws {
    let runner = try runner([job(every: .seconds(3600))], .once) { _, _ in .runsForEver }
    runner.run(for: .seconds(5))
    runner.stop()
    runner.run(for: .seconds(5))
    #expect(try runner.outcomes() == [.interrupted])
    #expect(runner.summary?.failed == 0)
  }
}
