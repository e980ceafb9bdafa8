import JobEngine
import JobModel
import Testing

@Suite("Time limits, warnings and forced ends")
struct ExpirationTests {
  private func runner(
    _ behaviour: Behaviour, mode: EngineConfiguration.Mode = .continuous,
    _ change: (inout JobDefinition) -> Void = { _ in }
  ) throws -> VirtualRunner {
    let runner = try VirtualRunner([
      job(every: .seconds(86_400)) {
        $0.timeLimit = .seconds(5)
        $0.expirationGrace = .seconds(1)
        change(&$0)
      }
    ]) { $0.mode = mode }
    runner.host.script = { _, _ in behaviour }
    try runner.start()
    return runner
  }

  @Test func `LC3: the warning comes at the limit and not before`() throws {
    let runner = try runner(.runsForEver)
    runner.run(for: .milliseconds(4999))
    #expect(runner.warnings.isEmpty)
    runner.run(for: .milliseconds(1))
    #expect(runner.warnings == [.timeLimit])
    #expect(try runner.outcomes() == [.expired])
    #expect(try runner.history().map(\.reason) == [.timeLimit])
  }

  @Test func `LC3: time asleep doesn't count`() throws {
    let runner = try runner(.succeeds(after: .seconds(4)))
    runner.run(for: .seconds(1))
    runner.pass(.seconds(3600), asleep: true)
    runner.deliver(.woke)
    runner.run(for: .seconds(10))
    #expect(try runner.outcomes() == [.succeeded])
  }

  @Test func `LC5: one that ignores the warning is killed after its grace, and the slot is free`()
    throws
  {
    var ignoring = Behaviour.runsForEver
    ignoring.onWarning = .ignores
    let runner = try runner(ignoring)
    runner.run(for: .seconds(60))
    let rows = try runner.history()
    #expect(rows.map(\.outcome) == [.terminated])
    #expect(rows.map(\.reason) == [.timeLimit])
    #expect((rows[0].endedAt - Now.start.wall).inSeconds == 6)
    try runner.submit("com.example.job")
    #expect(runner.launched.count == 2)
  }

  @Test func `ST4: success after the warning is success, with the reason kept`() throws {
    var tidy = Behaviour.runsForEver
    tidy.onWarning = .exits(after: .milliseconds(500), status: 0)
    let runner = try runner(tidy)
    runner.run(for: .seconds(60))
    #expect(try runner.outcomes() == [.succeeded])
    #expect(try runner.history().map(\.reason) == [.timeLimit])
  }

  @Test func `LC4: a run is warned once, whatever else happens in its grace`() throws {
    var ignoring = Behaviour.runsForEver
    ignoring.onWarning = .ignores
    let runner = try runner(ignoring) {
      $0.expirationGrace = .seconds(10)
      $0.conditions.requiresExternalPower = true
    }
    runner.run(for: .seconds(6))
    runner.deliver(.host(.exceededMemory(RunNumber(1), bytes: 1 << 30)))
    runner.update { $0.externalPower.value = false }
    runner.run(for: .seconds(60))
    #expect(runner.warnings == [.timeLimit])
  }

  @Test func `ST2: a run is expiring in the store, and keeps its slot, until its code is gone`()
    throws
  {
    var ignoring = Behaviour.runsForEver
    ignoring.onWarning = .ignores
    let runner = try runner(ignoring) { $0.expirationGrace = .seconds(10) }
    runner.run(for: .seconds(6))
    try runner.submit("com.example.job")
    let live = try runner.snapshot("com.example.job").live
    #expect(live.map(\.expiring?.reason) == [.timeLimit])
    runner.run(for: .seconds(8))
    #expect(runner.launched.count == 1)
    runner.run(for: .seconds(2))
    #expect(runner.launched.count == 2)
  }

  @Test func `memoryLimit expires the run with its reason`() throws {
    let runner = try runner(.runsForEver)
    runner.run(for: .seconds(1))
    runner.deliver(.host(.exceededMemory(RunNumber(1), bytes: 3 << 20)))
    runner.run(for: .seconds(1))
    #expect(try runner.history().map(\.reason) == [.memoryLimit])
    #expect(try runner.outcomes() == [.expired])
  }

  @Test func `LC3: EXTEND_TIMEOUT moves the limit, and has to be repeated`() throws {
    var extending = Behaviour.runsForEver
    extending.reports = [
      (.seconds(4), ProgressReport(extending: .seconds(10))),
      (.seconds(12), ProgressReport(extending: .seconds(10))),
    ]
    let runner = try runner(extending)
    runner.run(for: .seconds(21))
    #expect(runner.warnings.isEmpty)
    runner.run(for: .seconds(2))
    #expect(runner.warnings == [.timeLimit])
    #expect((try runner.history()[0].endedAt - Now.start.wall).inSeconds == 22)
  }

  @Test func `LC12: a simulated expiration warns every run after its start, and says so`() throws {
    let runner = try VirtualRunner([job(every: .seconds(86_400))]) {
      $0.simulatedExpiration = .seconds(5)
    }
    runner.host.script = { _, _ in .runsForEver }
    try runner.start()
    runner.run(for: .seconds(5))
    #expect(try runner.history().map(\.reason) == [.timeLimit])
    #expect(try runner.history().map(\.detail) == ["simulated"])
  }

  @Test func `PL14: a host that never answers is warned and killed within a bound`() throws {
    let runner = try VirtualRunner([job(every: .seconds(86_400))])
    try runner.start()
    // The host's own answers are lost.
    runner.host.vanish()
    runner.run(for: .seconds(29))
    #expect(runner.warnings.isEmpty)
    runner.run(for: .seconds(2))
    #expect(runner.warnings == [.launchFailed])
  }

  @Test func `LC8: a crash ends its own run only`() throws {
    let runner = try VirtualRunner([
      job("com.example.crashing", every: .seconds(86_400)),
      job("com.example.sound", every: .seconds(86_400)),
    ])
    runner.host.script = { order, _ in
      order.request.identifier == "com.example.crashing"
        ? Behaviour(takes: .seconds(1), signal: 11) : .succeeds(after: .seconds(5))
    }
    try runner.start()
    runner.run(for: .seconds(10))
    #expect(try runner.history("com.example.crashing").map(\.detail) == ["SIGSEGV"])
    #expect(try runner.outcomes("com.example.crashing") == [.crashed])
    #expect(try runner.outcomes("com.example.sound") == [.succeeded])
  }
}
