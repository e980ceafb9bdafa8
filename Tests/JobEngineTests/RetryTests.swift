import JobEngine
import JobModel
import Testing

@Suite("Retries")
struct RetryTests {
  private func failing(
    _ behaviour: Behaviour = .exits(1, after: .seconds(1)),
    _ change: (inout JobDefinition) -> Void = { _ in }
  ) throws -> VirtualRunner {
    let runner = try VirtualRunner([
      job(every: .seconds(86_400)) {
        $0.retry.maxAttempts = 4
        $0.retry.initialDelay = .seconds(30)
        $0.retry.hasJitter = false
        change(&$0)
      }
    ])
    runner.host.script = { _, _ in behaviour }
    try runner.start()
    return runner
  }

  @Test func `LC9: a failure is retried with growing delays until its attempts are used up`() throws
  {
    let runner = try failing()
    runner.run(for: .seconds(3600))
    #expect(runner.launchSeconds() == [0, 31, 92, 213])
    #expect(try runner.endedRuns().map(\.attempt) == [1, 2, 3, 4])
    #expect(try runner.outcomes() == [.failed, .failed, .failed, .failed])
  }

  @Test func `LC9: exit 75 goes back three times without an attempt, then uses them`() throws {
    let runner = try failing(.exits(75, after: .seconds(1))) { $0.retry.maxAttempts = 2 }
    runner.run(for: .seconds(3600))
    #expect(try runner.endedRuns().map(\.attempt) == [1, 1, 1, 1, 2])
    // Two starts are at least initialDelay apart.
    #expect(runner.launchSeconds() == [0, 30, 60, 90, 120])
  }

  @Test func `fails at once, every 1m, no backoff: at most 10 attempts in 10 minutes`() throws {
    let runner = try VirtualRunner([job(every: .seconds(60)) { $0.retry.initialDelay = .zero }])
    runner.host.script = { _, _ in .exits(1, after: .zero) }
    try runner.start()
    runner.run(for: .milliseconds(599_999))
    #expect(runner.launched.count == 10)
    #expect(runner.wakeUps.count <= 10)
  }

  @Test func `a program that can't be started fails and is retried`() throws {
    let behaviour = Behaviour(takes: nil, launchFailure: "no such program: x")
    let runner = try failing(behaviour) { $0.retry.maxAttempts = 2 }
    runner.run(for: .seconds(3600))
    #expect(try runner.history().map(\.reason).allSatisfy { $0 == .launchFailed })
    #expect(try runner.history().map(\.detail).last == "no such program: x")
    #expect(runner.launched.count == 2)
  }

  @Test func `DU5: old rows go with an end, at most once a day`() throws {
    let runner = try VirtualRunner([
      job(every: .seconds(3600)) { $0.keepHistory = .seconds(86_400) }
    ])
    try runner.start()
    runner.run(for: .seconds(3 * 86_400))
    let prunes = runner.commits.joined().filter { if case .prune = $0 { true } else { false } }
    #expect(prunes.count == 3)
    let oldest = try #require(try runner.history().first)
    #expect(oldest.endedAt >= Now.start.wall + .seconds(86_400))
  }

  @Test func `LC9: cancelled is final`() throws {
    let runner = try failing(.runsForEver)
    runner.run(for: .seconds(1))
    let run = try #require(runner.launched.first?.run)
    try runner.commitElsewhere(.requestStop(StopRequest(run: run, reason: .userCancelled)))
    runner.run(for: .seconds(600))
    let row = try #require(try runner.endedRuns().first)
    #expect(row.outcome == .cancelled)
    #expect(row.reason == .userCancelled)
    #expect(runner.launched.count == 1)
  }

  @Test func `SB11: a job that leaves the manifest goes on, is not retried, and waits`() throws {
    let runner = try VirtualRunner([job() { $0.retry.maxAttempts = 3 }])
    runner.host.script = { _, _ in .exits(1, after: .seconds(10)) }
    try runner.start()
    try runner.submit("com.example.job")
    runner.run(for: .seconds(1))
    runner.deliver(
      .reloaded(
        JobSet(
          app: "com.example", concurrency: ConcurrencyLimits(total: 2), jobs: [], digest: "2")))
    try runner.submit("com.example.job", key: "later")
    runner.run(for: .seconds(3600))
    #expect(runner.launched.count == 1)
    #expect(try runner.outcomes() == [.failed])
    #expect(runner.waitingGates.last == .notPermitted)
  }
}
