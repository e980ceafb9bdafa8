import JobEngine
import JobModel
import StoreConformance
import Testing

/// Handlers in the runner's own process: nothing can kill them.
@Suite("Handlers that overrun their grace in this process")
struct OverrunTests {
  /// A runner of one handler with a limit of 10 s and a grace of 1 s, which takes a minute and ignores
  /// its warning, and of one command that runs until it is warned.
  private func running(
    _ policy: OverrunPolicy, world: MemoryWorld = MemoryWorld(), at now: Now = .start,
    completion: HandlerCompletion = .failed(.handlerThrew, detail: "late")
  ) throws -> VirtualRunner {
    let runner = try VirtualRunner(
      [
        job("com.example.handler", every: .seconds(86_400)) {
          $0.action = .handler("h")
          $0.timeLimit = .seconds(10)
          $0.expirationGrace = .seconds(1)
          $0.retry.initialDelay = .seconds(1)
        },
        job("com.example.command") { $0.expirationGrace = .seconds(4) },
      ], world: world, at: now
    ) { $0.handlersInProcess = policy }
    runner.host.script = { order, _ in
      guard !order.job.action.isCommand else { return .runsForEver }
      var behaviour = Behaviour(takes: .seconds(60), completion: completion)
      behaviour.onWarning = .ignores
      return behaviour
    }
    try runner.start()
    return runner
  }

  private func overruns(_ runner: VirtualRunner) -> [(run: RunNumber, endsProcess: Bool)] {
    runner.notices.compactMap {
      guard case .runOverran(let overrun, let endsProcess) = $0 else { return nil }
      return (overrun.run, endsProcess)
    }
  }

  /// A person cancels what runs.
  private func stop(_ runner: VirtualRunner, _ identifier: JobIdentifier) throws {
    let run = try #require(try runner.snapshot(identifier).live.first?.run)
    try runner.commitElsewhere(.requestStop(StopRequest(run: run, reason: .userCancelled)))
  }

  private func seconds(_ runner: VirtualRunner) -> Double {
    (runner.now.wall - Now.start.wall).inSeconds
  }

  @Test func `EM1: at the grace's end the run stays expiring in its place, and is told of once`()
    throws
  {
    let runner = try running(.hold)
    runner.run(for: .seconds(30))
    #expect(overruns(runner).map(\.endsProcess) == [false])
    let live = try #require(try runner.snapshot("com.example.handler").live.first)
    #expect(live.expiring?.reason == .timeLimit)
    #expect(try runner.endedRuns().isEmpty)
    try runner.submit("com.example.handler")
    runner.run(for: .seconds(10))
    #expect(runner.launched.count == 1, "its place is not free")
    #expect(overruns(runner).count == 1)
    let kills = runner.notices.filter { if case .runKilled = $0 { true } else { false } }
    #expect(kills.isEmpty, "nothing is killed")
  }

  @Test(arguments: [
    (HandlerCompletion.failed(.handlerThrew, detail: "late"), Outcome.expired),
    (.succeeded, .succeeded),
  ])
  func `EM1, ST4: a late end is recorded as what it is, and frees the place`(
    completion: HandlerCompletion, outcome: Outcome
  ) throws {
    let runner = try running(.hold, completion: completion)
    try runner.submit("com.example.handler", key: "next")
    runner.run(for: .seconds(61))
    let row = try #require(try runner.endedRuns("com.example.handler").first)
    #expect(row.outcome == outcome)
    #expect(row.reason == .timeLimit)
    #expect((row.endedAt - row.startedAt!).inSeconds == 60)
    #expect(runner.launched.count == 2)
  }

  @Test func `EM1, CP5: a cancelled run that overruns is cancelled when it ends`() throws {
    let runner = try running(.hold)
    runner.run(for: .seconds(20))
    try stop(runner, "com.example.handler")
    runner.run(for: .seconds(50))
    #expect(try runner.endedRuns("com.example.handler").map(\.outcome) == [.cancelled])
  }

  @Test func `EM1, PL14: a stop lets go within its bound and keeps the run, whose end is recorded`()
    throws
  {
    let runner = try running(.hold)
    try runner.submit("com.example.command")
    runner.run(for: .seconds(5))
    runner.stop()
    // The bound is of the longest grace, 4 s, and 2 s.
    runner.run(for: .milliseconds(5999))
    #expect(runner.released == nil)
    runner.run(for: .milliseconds(1))
    #expect(runner.released?.overruns.map(\.identifier) == ["com.example.handler"])
    #expect(runner.summary == nil, "the run is still this owner's")
    #expect(try runner.snapshot("com.example.handler").live.count == 1)
    #expect(try runner.endedRuns().map(\.identifier) == ["com.example.command"])
    runner.run(for: .seconds(60))
    #expect(seconds(runner) >= 60)
    #expect(runner.summary?.overruns.isEmpty == true)
    let row = try #require(try runner.endedRuns("com.example.handler").first)
    #expect(row.outcome == .interrupted)
    #expect(row.reason == .shutdown)
    #expect(try runner.snapshot("com.example.handler").pendingCount == 1, "LC9: put back")
  }

  @Test func `SB1: while a handler overstays its runner, another runner doesn't start it again`()
    throws
  {
    let first = try running(.hold)
    first.run(for: .seconds(5))
    first.stop()
    first.run(for: .seconds(3))
    #expect(first.released != nil)
    let second = try running(.hold, world: first.world, at: first.now)
    try second.submit("com.example.handler")
    second.run(for: .seconds(30))
    #expect(second.launched.isEmpty)
    // The first one's handler ends; what it put back and what was submitted run then.
    second.pass(.seconds(30))
    first.run(for: .seconds(60))
    #expect(first.summary != nil)
    second.deliver(.changed(try second.store.snapshots(of: nil, headLimit: 32)))
    second.run(for: .seconds(30))
    #expect(second.launched.count == 1)
  }

  @Test func `DU2: when the process ends with a handler that overstays, its run is interrupted`()
    throws
  {
    let first = try running(.hold)
    first.run(for: .seconds(5))
    first.stop()
    first.run(for: .seconds(3))
    first.crash()
    let second = try running(.hold, world: first.world, at: first.now)
    second.run(for: .seconds(2))
    let row = try #require(try second.endedRuns("com.example.handler").first)
    #expect(row.outcome == .interrupted)
    #expect(row.reason == .ownerLost)
    #expect(second.launched.count == 1, "it runs again")
    // An end that comes all the same isn't recorded a second time (ST1).
    first.run(for: .seconds(60))
    #expect(try second.endedRuns("com.example.handler").count == 1)
  }

  @Test func `EM1: with exit all else is stopped in good order, then the process ends`() throws {
    let runner = try running(.exit)
    try runner.submit("com.example.command")
    runner.run(for: .seconds(60))
    #expect(overruns(runner).map(\.endsProcess) == [true])
    #expect(runner.summary?.overran?.identifier == "com.example.handler")
    #expect(runner.summary?.overruns.count == 1, "it still runs: the owner's death is to tell")
    #expect(runner.released == nil)
    // The limit, the handler's grace, then the bound of the command's grace and 2 s at most.
    #expect(seconds(runner) <= 10 + 1 + 4 + 2)
    let row = try #require(try runner.endedRuns("com.example.command").first)
    #expect(row.outcome == .interrupted)
  }

  @Test func `EM1: while it stops, exit isn't used: the process is ending by itself`() throws {
    let runner = try running(.exit)
    runner.run(for: .seconds(5))
    runner.stop()
    runner.run(for: .seconds(4))
    #expect(overruns(runner).map(\.endsProcess) == [false])
    #expect(runner.released?.overran == nil)
    #expect(runner.released?.overruns.count == 1)
  }

  @Test func `EM1: commands of the same runner are killed as ever`() throws {
    let runner = try running(.hold)
    runner.host.script = { _, _ in Behaviour(takes: nil, onWarning: .ignores) }
    try runner.submit("com.example.command")
    runner.run(for: .seconds(1))
    try stop(runner, "com.example.command")
    runner.run(for: .seconds(5))
    let row = try #require(try runner.endedRuns("com.example.command").first)
    #expect(row.detail == "SIGKILL was needed")
  }
}
