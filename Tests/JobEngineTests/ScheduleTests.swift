import JobEngine
import JobModel
import StoreConformance
import Testing

private let day = Duration.seconds(86_400)

@Suite("Schedules: anchors, missed instants and restarts")
struct ScheduleTests {
  @Test func `PL7: every 7d over daily restarts runs at the first start and on day 7`() throws {
    let world = MemoryWorld()
    var now = Now.start
    var launches: [Double] = []
    for _ in 0..<9 {
      let runner = try VirtualRunner([job(every: day * 7)], world: world, at: now)
      try runner.start()
      runner.run(for: day)
      launches += runner.launchSeconds()
      runner.stop()
      now = runner.now
    }
    #expect(launches == [0, (day * 7).inSeconds])
  }

  @Test func `PL9: 14 days off at every 5s give one run and one row of 241919`() throws {
    let world = MemoryWorld()
    let first = try VirtualRunner([job(every: .seconds(5))], world: world)
    try first.start()
    first.run(for: .seconds(1))
    first.stop()
    first.pass(day * 14 - .seconds(1))
    let second = try VirtualRunner([job(every: .seconds(5))], world: world, at: first.now)
    try second.start()
    second.run(for: .seconds(2))
    let rows = try second.history()
    #expect(rows.map(\.outcome) == [.succeeded, .skipped, .succeeded])
    #expect(rows[1].count == 241_919)
    #expect(rows[1].reason == .missed)
    #expect(second.launched.count == 1)
  }

  @Test func `PL9: asleep for an hour, latest runs the newest instant only`() throws {
    let runner = try VirtualRunner([job(every: .seconds(600))])
    try runner.start()
    runner.run(for: .seconds(10))
    runner.pass(.seconds(3600), asleep: true)
    runner.deliver(.clockStepped)
    runner.run(for: .seconds(5))
    #expect(runner.launched.count == 2)
    #expect(try runner.history().filter { $0.outcome == .skipped }.map(\.count) == [5])
    #expect(runner.launched[1].request.scheduledAt == Now.start.wall + .seconds(3600))
  }

  @Test func `PL9: all runs each missed instant, bounded by its limit, the oldest first`() throws {
    let world = MemoryWorld()
    let definition = job(every: .seconds(60)) {
      $0.schedule?.catchUp = .all
      $0.schedule?.catchUpLimit = 3
    }
    let first = try VirtualRunner([definition], world: world)
    try first.start()
    first.run(for: .seconds(2))
    first.stop()
    first.pass(.seconds(598))
    let second = try VirtualRunner([definition], world: world, at: first.now)
    try second.start()
    second.run(for: .seconds(10))
    #expect(
      second.launched.map { ($0.request.scheduledAt - Now.start.wall).inSeconds } == [
        480, 540, 600,
      ])
    #expect(try second.history().first { $0.outcome == .skipped }?.count == 7)
  }

  @Test func `PL9: none runs nothing that was missed`() throws {
    let world = MemoryWorld()
    let definition = job(every: .seconds(3600)) { $0.schedule?.catchUp = CatchUp.none }
    let first = try VirtualRunner([definition], world: world)
    try first.start()
    first.run(for: .seconds(2))
    first.stop()
    first.pass(.seconds(3 * 3600 + 1800))
    let second = try VirtualRunner([definition], world: world, at: first.now)
    try second.start()
    second.run(for: .seconds(1000))
    #expect(second.launched.isEmpty)
    #expect(try second.history().last?.count == 3)
    second.run(for: .seconds(1000))
    #expect(second.launchSeconds() == [4 * 3600])
  }

  @Test func `PL9: none misses an instant while the previous run goes on`() throws {
    let runner = try VirtualRunner([
      job(every: .seconds(60)) { $0.schedule?.catchUp = CatchUp.none }
    ])
    runner.host.script = { _, _ in .succeeds(after: .seconds(90)) }
    try runner.start()
    runner.run(for: .seconds(200))
    #expect(runner.launchSeconds() == [0, 120])
    #expect(try runner.outcomes() == [.skipped, .succeeded, .skipped])
  }

  @Test func `PL9: the previous run still going, latest starts the newest when it ends`() throws {
    let runner = try VirtualRunner([job(every: .seconds(60))])
    runner.host.script = { _, earlier in
      .succeeds(after: earlier == 0 ? .seconds(200) : .seconds(1))
    }
    try runner.start()
    runner.run(for: .seconds(210))
    #expect(runner.launchSeconds() == [0, 200])
    #expect(runner.launched[1].request.scheduledAt == Now.start.wall + .seconds(180))
    #expect(try runner.history().filter { $0.outcome == .skipped }.map(\.count) == [2])
  }

  @Test func `idle on battery, later instants cost neither a wake-up nor a write`() throws {
    let runner = try VirtualRunner(
      [job(every: .seconds(60)) { $0.conditions.requiresExternalPower = true }],
      device: onBattery())
    try runner.start()
    let commits = runner.commits.count
    runner.run(for: day)
    #expect(runner.wakeUps.isEmpty)
    #expect(runner.commits.count == commits)
    runner.update { $0.externalPower.value = true }
    runner.run(for: .seconds(10))
    #expect(runner.launched.count == 1)
    #expect(runner.launched[0].request.scheduledAt == Now.start.wall + day)
    // 1,441 instants have come: the one that was waiting and the later ones but the newest.
    #expect(try runner.history().filter { $0.outcome == .skipped }.map(\.count) == [1440])
  }

  @Test func `PL7: a changed interval keeps the anchor, and a reload fires nothing (PL12)`() throws
  {
    let runner = try VirtualRunner([job(every: .seconds(3600))])
    try runner.start()
    runner.run(for: .seconds(1500))
    runner.deliver(
      .reloaded(
        JobSet(
          app: "com.example", concurrency: ConcurrencyLimits(total: 2),
          jobs: [job(every: .seconds(600))], digest: "2")))
    runner.run(for: .seconds(200))
    #expect(runner.launched.count == 1)
    runner.run(for: .seconds(200))
    #expect(runner.launchSeconds() == [0, 1800])
  }

  @Test func `PL7: an anchor more than an interval ahead is reset and reported`() throws {
    let world = MemoryWorld()
    let future = Now(wall: WallInstant(seconds: 4_070_908_800), monotonic: Now.start.monotonic)
    let wrong = try VirtualRunner([job(every: .seconds(900))], world: world, at: future)
    try wrong.start()
    wrong.run(for: .seconds(5))
    wrong.stop()
    #expect(wrong.launched.count == 1)
    let right = try VirtualRunner([job(every: .seconds(900))], world: world)
    try right.start()
    right.run(for: .seconds(2000))
    let resets = right.notices.filter { if case .anchorReset = $0 { true } else { false } }
    #expect(resets.count == 1)
    #expect(right.launchSeconds() == [900, 1800])
  }

  @Test func `PL7: cron's first instant is the next one`() throws {
    let runner = try VirtualRunner([job(cron: "0 3 * * *")])
    try runner.start()
    runner.run(for: .seconds(3 * 3600 - 1))
    #expect(runner.launched.isEmpty)
    runner.run(for: .seconds(2))
    #expect(runner.launchSeconds() == [3 * 3600])
  }

  @Test func `PL17: an instant that can't start in time becomes tooLate`() throws {
    let runner = try VirtualRunner(
      [
        job(every: .seconds(3600)) {
          $0.conditions.requiresExternalPower = true
          $0.schedule?.startWithin = .seconds(300)
        }
      ], device: onBattery())
    try runner.start()
    runner.run(for: .seconds(301))
    #expect(try runner.history().map(\.reason) == [.tooLate])
    runner.update { $0.externalPower.value = true }
    runner.run(for: .seconds(3300))
    #expect(runner.launchSeconds() == [3600])
  }

  @Test func `PL18: randomDelay moves the start, never the nominal instant`() throws {
    let runner = try VirtualRunner([
      job(cron: "0 3 * * *") { $0.schedule?.randomDelay = .seconds(1800) }
    ])
    let offset = StableOffset.delay(
      machine: "machine", identifier: "com.example.job", upTo: .seconds(1800))
    try runner.start()
    runner.run(for: .seconds(4 * 3600))
    #expect(runner.launched.map(\.startedAt) == [Now.start.wall + .seconds(3 * 3600) + offset])
    #expect(runner.launched.map(\.request.scheduledAt) == [Now.start.wall + .seconds(3 * 3600)])
    #expect(offset > .zero)
  }

  @Test func `PL11: two runners record an instant once`() throws {
    let world = MemoryWorld()
    let one = try VirtualRunner([job(every: .seconds(60))], world: world)
    let two = try VirtualRunner([job(every: .seconds(60))], world: world)
    try one.start()
    try two.start()
    for _ in 0..<60 {
      one.run(for: .seconds(10))
      two.run(for: .seconds(10))
    }
    let instants = try one.history().filter { $0.run != nil }.compactMap(\.scheduledAt)
    #expect(Set(instants).count == instants.count)
    #expect(instants.count >= 9)
  }
}
