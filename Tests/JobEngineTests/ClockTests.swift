import JobEngine
import JobModel
import StoreConformance
import Testing

private let right = Now.start
/// The same moment, read from a clock that lost its battery.
private let wrong = Now(wall: WallInstant(seconds: 86_400), monotonic: Now.start.monotonic)

@Suite("Clocks that can't be right")
struct ClockTests {
  /// A store that was last used at the right time.
  private func usedWorld() throws -> MemoryWorld {
    let runner = try VirtualRunner([job(every: .seconds(900)), daily])
    try runner.start()
    runner.run(for: .seconds(5))
    runner.stop()
    return runner.world
  }

  private var daily: JobDefinition { job("com.example.daily", cron: "0 3 * * *") }

  private func trustNotices(_ runner: VirtualRunner) -> [String] {
    runner.notices.compactMap {
      if case .clockImplausible = $0 { return "implausible" }
      if case .clockTrusted = $0 { return "trusted" }
      return nil
    }
  }

  @Test func `PL15: before the build or the store's time, dates wait and intervals go on`() throws {
    let runner = try VirtualRunner(
      [job(every: .seconds(900)), daily], world: usedWorld(), at: wrong)
    try runner.start()
    runner.run(for: .seconds(3000))
    #expect(trustNotices(runner) == ["implausible"])
    #expect(runner.launched.count == 3)
    #expect(runner.launched.allSatisfy { $0.request.identifier != daily.identifier })
  }

  @Test func `PL15: once the clock is right again, dates go on from their anchor`() throws {
    let runner = try VirtualRunner([daily], world: usedWorld(), at: wrong)
    try runner.start()
    runner.run(for: .seconds(60))
    runner.setWall(right.wall + .seconds(4 * 3600))
    runner.run(for: .seconds(60))
    #expect(trustNotices(runner) == ["implausible", "trusted"])
    #expect(runner.launched.map(\.request.scheduledAt) == [right.wall + .seconds(3 * 3600)])
  }

  @Test func `PL15: steady for an hour, the clock is believed and the recorded time is reset`()
    throws
  {
    let world = try usedWorld()
    let runner = try VirtualRunner([daily], world: world, at: wrong)
    try runner.start()
    runner.run(for: .seconds(3599))
    #expect(trustNotices(runner) == ["implausible"])
    runner.run(for: .seconds(2))
    #expect(trustNotices(runner) == ["implausible", "trusted"])
    #expect(try runner.store.lastRecordedTime() == wrong.wall + .seconds(3600))
    runner.run(for: .seconds(2 * 86_400))
    #expect(runner.launched.count == 2)
  }

  @Test func `PL15: a clock that is set starts the hour again`() throws {
    let runner = try VirtualRunner([daily], world: usedWorld(), at: wrong)
    try runner.start()
    runner.run(for: .seconds(3000))
    runner.setWall(wrong.wall + .seconds(1))
    runner.run(for: .seconds(3000))
    #expect(trustNotices(runner) == ["implausible"])
    runner.run(for: .seconds(700))
    #expect(trustNotices(runner) == ["implausible", "trusted"])
  }

  @Test func `PL15: a kernel that reports the clock synchronised is believed`() throws {
    let runner = try VirtualRunner([daily], world: usedWorld(), at: wrong)
    try runner.start()
    runner.deliver(.clockSynchronised)
    #expect(trustNotices(runner) == ["implausible", "trusted"])
  }

  @Test func `the clock reads 2099 for one start, then is right: reported, and goes on from now`()
    throws
  {
    let world = MemoryWorld()
    let future = Now(wall: WallInstant(seconds: 4_070_908_800), monotonic: right.monotonic)
    let first = try VirtualRunner([job(every: .seconds(900)), daily], world: world, at: future)
    try first.start()
    first.run(for: .seconds(5))
    first.stop()
    let second = try VirtualRunner([job(every: .seconds(900)), daily], world: world)
    try second.start()
    second.run(for: .seconds(86_400))
    #expect(trustNotices(second) == ["implausible", "trusted"])
    #expect(second.launchSeconds("com.example.job").prefix(3) == [900, 1800, 2700])
    #expect(second.launchSeconds(daily.identifier) == [3 * 3600])
  }
}
