import JobEngine
import JobModel
import StoreConformance
import Testing

@Suite("Stopping, crashes and stores that fail")
struct StopTests {
  private func running(
    _ onWarning: Behaviour.OnWarning = .dies, world: MemoryWorld = MemoryWorld()
  ) throws -> VirtualRunner {
    let runner = try VirtualRunner(
      [
        job(every: .seconds(86_400)) {
          $0.retry.maxAttempts = 2
          $0.retry.initialDelay = .seconds(10)
        }
      ], world: world)
    let behaviour = Behaviour(takes: .seconds(60), onWarning: onWarning)
    runner.host.script = { _, _ in behaviour }
    try runner.start()
    runner.run(for: .seconds(5))
    return runner
  }

  @Test func `PL14: a stop interrupts what runs, keeps its attempt, and it runs again`() throws {
    let runner = try running()
    runner.stop()
    runner.run(for: .seconds(20))
    let row = try #require(try runner.history().first)
    #expect(row.outcome == .interrupted)
    #expect(row.reason == .shutdown)
    #expect(runner.summary != nil)
    #expect((runner.now.monotonic - Now.start.monotonic) < .seconds(5 + 12))
    let next = try VirtualRunner(
      [job(every: .seconds(86_400)) { $0.retry.maxAttempts = 2 }], world: runner.world,
      at: runner.now)
    try next.start()
    next.run(for: .seconds(120))
    #expect(try next.endedRuns().map(\.outcome) == [.interrupted, .succeeded])
    #expect(try next.endedRuns().map(\.attempt) == [1, 1])
  }

  @Test func `PL14: the bound is the longest grace and 2 s, and is announced`() throws {
    let runner = try running(.ignores)
    runner.stop()
    #expect(runner.stopBounds == [.seconds(12)])
    runner.run(for: .seconds(60))
    // SIGKILL at the grace's end.
    #expect((runner.now.monotonic - Now.start.monotonic) == .seconds(15))
    #expect(try runner.history().first?.outcome == .interrupted)
    #expect(try runner.history().first?.detail == "SIGKILL was needed")
  }

  @Test
  func `LC7: warnings given together each have their own grace, and the bound is the largest`()
    throws
  {
    let runner = try VirtualRunner([
      job("com.example.short", every: .seconds(86_400)) { $0.expirationGrace = .seconds(3) },
      job("com.example.long", every: .seconds(86_400)) { $0.expirationGrace = .seconds(20) },
    ])
    runner.host.script = { _, _ in Behaviour(takes: nil, onWarning: .ignores) }
    try runner.start()
    runner.run(for: .seconds(10))
    runner.stop()
    runner.run(for: .seconds(60))
    #expect(runner.stopBounds == [.seconds(22)])
    #expect(
      try runner.endedRuns().map { ($0.endedAt - Now.start.wall).inSeconds } == [13, 30])
  }

  @Test func `PL14: a second signal makes the grace 0`() throws {
    let runner = try running(.ignores)
    runner.stop()
    runner.run(for: .seconds(1))
    runner.deliver(.stop(.immediate))
    runner.run(for: .seconds(1))
    #expect(runner.summary != nil)
    #expect(try runner.history().first?.outcome == .interrupted)
    #expect((runner.now.monotonic - Now.start.monotonic) == .seconds(6))
  }

  @Test func `PL14: a stop is over within its bound though the store never answers`() throws {
    let runner = try running()
    runner.world.fail(with: StoreFailure(cause: .diskFull, sentence: "no space left"))
    runner.stop()
    runner.run(for: .seconds(12))
    #expect(runner.summary != nil)
    #expect((runner.now.monotonic - Now.start.monotonic) <= .seconds(17))
  }

  @Test func `a claim that comes back during a stop is never launched and ends once`() throws {
    let runner = try VirtualRunner([job()])
    runner.holdsVerdicts = true
    try runner.start()
    try runner.submit("com.example.job")
    let claim = try #require(runner.commits.last)
    #expect(claim.count == 1)
    runner.stop()
    #expect(runner.summary == nil)
    runner.holdsVerdicts = false
    let live = try runner.snapshot("com.example.job")
    let run = try #require(live.live.first?.run)
    runner.deliver(
      .committed(
        BatchNumber(1),
        CommitReport(
          revision: live.revision, verdicts: [.applied(.claimed(run))], snapshots: [live])))
    #expect(runner.launched.isEmpty)
    #expect(try runner.outcomes() == [.interrupted])
    #expect(try runner.snapshot("com.example.job").pendingCount == 1)
    #expect(runner.summary != nil)
  }

  @Test func `DU2: runs of a dead owner are interrupted, keep their attempt and run again`() throws
  {
    let first = try running()
    first.crash()
    first.pass(.seconds(20))
    let second = try VirtualRunner(
      [job(every: .seconds(86_400)) { $0.retry.initialDelay = .seconds(10) }], world: first.world,
      at: first.now)
    try second.start()
    second.run(for: .seconds(120))
    let rows = try second.endedRuns()
    #expect(rows.map(\.outcome) == [.interrupted, .succeeded])
    #expect(rows.map(\.reason) == [.ownerLost, nil])
    #expect(rows.map(\.attempt) == [1, 1])
  }

  @Test func `DU4: ends are kept, slots held and nothing claimed until the store works again`()
    throws
  {
    let runner = try VirtualRunner(
      [job("com.example.a", every: .seconds(60)), job("com.example.b", every: .seconds(60))],
      limits: ConcurrencyLimits(total: 1))
    runner.host.script = { _, _ in .succeeds(after: .seconds(30)) }
    try runner.start()
    runner.run(for: .seconds(10))
    let failure = StoreFailure(cause: .diskFull, sentence: "no space left on the device")
    runner.world.fail(with: failure)
    runner.run(for: .seconds(600))
    #expect(runner.launched.count == 1)
    #expect(runner.notices.filter { $0 == .storeFailed(failure) }.count == 1)
    // Tried again at a growing distance, at most every 30 s.
    #expect((20...40).contains(runner.commits.count))
    runner.world.fail(with: nil)
    runner.run(for: .seconds(40))
    #expect(runner.notices.contains(.storeRecovered))
    #expect(try runner.endedRuns("com.example.a").first?.outcome == .succeeded)
    #expect(
      try runner.endedRuns("com.example.a").first.map { ($0.endedAt - Now.start.wall).inSeconds }
        == 30)
    #expect(runner.launched.count >= 2)
  }

  @Test func `PL20: once gives a broken store up, and says so`() throws {
    let runner = try VirtualRunner([job(every: .seconds(60))]) { $0.mode = .once }
    let joining = Event.Joining(
      owner: runner.owner, snapshots: [], device: runner.device, lastRecordedTime: nil, seed: 1)
    runner.world.fail(with: StoreFailure(cause: .readOnly, sentence: "read-only"))
    runner.deliver(.joined(joining))
    runner.run(for: .seconds(60))
    #expect(runner.summary?.storeFailure?.cause == .readOnly)
    #expect(runner.launched.isEmpty)
  }

  @Test func `ST1: an end that is told twice is proposed once`() throws {
    let runner = try running()
    runner.holdsVerdicts = true
    runner.deliver(.host(.ended(RunNumber(1), Behaviour.exits(0).ending)))
    let before = runner.commits.count
    runner.deliver(.host(.ended(RunNumber(1), Behaviour.exits(1).ending)))
    #expect(runner.commits.count == before)
    #expect(try runner.outcomes() == [.succeeded])
  }

  @Test func `ST1: a run that somebody else took over is killed and not recorded`() throws {
    let runner = try running(.ignores)
    runner.world.kill(runner.owner)
    let other = try VirtualRunner([], world: runner.world, at: runner.now)
    try other.start()
    runner.host.script = { _, _ in .succeeds(after: .seconds(1)) }
    runner.run(for: .seconds(60))
    #expect(try other.endedRuns().map(\.outcome) == [.interrupted])
    #expect(runner.host.live.isEmpty)
  }
}
