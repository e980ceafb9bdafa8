import JobEngine
import JobModel
import StoreConformance
import Testing

/// Short runs of handlers are claimed ahead: what runs, and what is said of it, stays as it was.
@Suite("Runs that are claimed ahead")
struct LeaseTests {
  private static let slowKey = "slow"

  /// A runner of one handler with requests of keys 0…, in that order; each takes a millisecond, the
  /// slow one ten seconds.
  private func runner(
    requests: Int, takes: Duration = .milliseconds(1), others: [JobDefinition] = [],
    total: Int = 1, _ change: (inout JobDefinition) -> Void = { _ in }
  ) throws -> VirtualRunner {
    let handler = job {
      $0.action = .handler("com.example.job")
      change(&$0)
    }
    let runner = try VirtualRunner(
      [handler] + others, limits: ConcurrencyLimits(total: total))
    runner.host.script = { order, _ in
      Behaviour(
        takes: order.request.key == Self.slowKey ? .seconds(10) : takes, completion: .succeeded)
    }
    try runner.start()
    _ = try runner.commitElsewhere(
      (0..<requests).map { number in .submit(submission("\(number)", number, runner)) })
    return runner
  }

  private func submission(_ key: String, _ place: Int, _ runner: VirtualRunner) -> Submission {
    var submission = Submission(
      identifier: "com.example.job", kind: .processing,
      submittedAt: runner.now.wall + .microseconds(place))
    submission.key = key
    submission.notBefore = Now.start.wall + .microseconds(place - 1_000_000)
    return submission
  }

  private func leased(_ runner: VirtualRunner) throws -> [RunRecord] {
    try runner.snapshot("com.example.job").live.filter(\.isLeased)
  }

  /// Passes time until something is claimed ahead.
  private func runUntilLeased(_ runner: VirtualRunner) throws {
    for _ in 0..<50 where try leased(runner).count < 2 { runner.run(for: .microseconds(500)) }
    #expect(try leased(runner).count > 1)
  }

  @Test(arguments: [1, 2]) func `many claims and ends are one transaction, one run at a time`(
    total: Int
  ) throws {
    let runner = try runner(requests: 300, total: total) { $0.maxRunning = 2 }
    var most = 0
    while runner.launched.count < 300 {
      let before = runner.now
      runner.run(for: .milliseconds(1))
      most = max(most, runner.host.live.count)
      guard runner.now.monotonic - Now.start.monotonic < .seconds(2) else { break }
      #expect(before != runner.now)
    }
    runner.run(for: .seconds(1))
    #expect(most == total)
    #expect(try runner.outcomes() == Array(repeating: .succeeded, count: 300))
    #expect(runner.launched.map(\.request.key) == (0..<300).map { "\($0)" })
    #expect(runner.commits.count < 60)
    #expect(try runner.liveRuns() == 0)
  }

  @Test func `ST3: history and notices have the real start of each run`() throws {
    let runner = try runner(requests: 100)
    runner.run(for: .seconds(2))
    let starts = Dictionary(
      uniqueKeysWithValues: runner.launched.map { ($0.run, $0.startedAt) })
    let rows = try runner.endedRuns()
    #expect(rows.count == 100)
    for row in rows { #expect(row.startedAt == row.run.flatMap { starts[$0] }) }
    #expect(Set(rows.map(\.startedAt)).count == 100)
    #expect(try runner.snapshot("com.example.job").record.lastStart == rows.last?.startedAt)
  }

  @Test func `LC9: only claims of jobs whose runs were short and went well skip the disk`() throws {
    let runner = try runner(requests: 4) {
      $0.retry.maxAttempts = 2
      $0.retry.initialDelay = .seconds(1)
    }
    runner.host.script = { order, earlier in
      if order.request.key == "2", earlier == 2 {
        return Behaviour(
          takes: .milliseconds(1), completion: .failed(.handlerThrew, detail: "no"))
      }
      return Behaviour(takes: .milliseconds(1), completion: .succeeded)
    }
    runner.run(for: .seconds(120))
    #expect(try runner.outcomes().count { $0 == .succeeded } == 4)
    let claims = runner.commits.joined().compactMap(\.claim)
    let keys = Dictionary(
      runner.launched.map { ($0.request.id, $0.request.key) }, uniquingKeysWith: { $1 })
    #expect(claims.first?.survivesPowerCut == true, "nothing is known of its runs yet")
    let retried = claims.last { keys[$0.request] == "2" }
    #expect(retried?.survivesPowerCut == true, "a retry")
    #expect(claims.contains { !$0.survivesPowerCut })
  }

  @Test func `runs that take longer are claimed one by one`() throws {
    let runner = try runner(requests: 20, takes: .milliseconds(20))
    runner.run(for: .seconds(1))
    #expect(runner.launched.count == 20)
    #expect(runner.commits.joined().allSatisfy { !$0.isLease })
  }

  @Test func `commands are claimed one by one`() throws {
    let runner = try runner(requests: 20) { $0.action = .command(["true"]) }
    runner.run(for: .seconds(1))
    #expect(runner.launched.count == 20)
    #expect(runner.commits.joined().allSatisfy { !$0.isLease })
  }

  @Test func `what is claimed ahead goes back when the running one takes longer`() throws {
    let runner = try runner(requests: 10)
    try runner.commitElsewhere(.submit(submission(Self.slowKey, -1, runner)))
    _ = try runner.commitElsewhere(
      (10..<30).map { .submit(submission("\($0)", $0, runner)) })
    while runner.launched.last?.request.key != Self.slowKey,
      runner.now.monotonic - Now.start.monotonic < .seconds(1)
    { runner.run(for: .microseconds(100)) }
    let start = runner.now
    runner.run(for: .milliseconds(49))
    runner.run(for: .milliseconds(2))
    let snapshot = try runner.snapshot("com.example.job")
    #expect(snapshot.live.map(\.request.key) == [Self.slowKey])
    #expect(snapshot.live.map(\.isLeased) == [false])
    #expect(start.wall - (snapshot.live.first?.startedAt ?? start.wall) < .milliseconds(1))
    #expect(snapshot.heads.allSatisfy { $0.starts == 0 && $0.attempt == 1 })
    #expect(snapshot.pendingCount + runner.launched.count == 31)
    runner.run(for: .seconds(20))
    #expect(try runner.outcomes() == Array(repeating: .succeeded, count: 31))
  }

  @Test func `PL4: a lost condition takes back what is claimed ahead, and nothing of it starts`()
    throws
  {
    let runner = try runner(requests: 60) { $0.conditions.requiresExternalPower = true }
    try runUntilLeased(runner)
    runner.update { $0.externalPower.value = false }
    #expect(try leased(runner) == [])
    let launched = runner.launched.count
    runner.run(for: .seconds(5))
    #expect(runner.launched.count == launched)
    #expect(try runner.snapshot("com.example.job").pendingCount == 60 - launched)
    runner.update { $0.externalPower.value = true }
    runner.run(for: .seconds(5))
    #expect(try runner.outcomes() == Array(repeating: .succeeded, count: 60))
  }

  @Test func `SB10: so does switching the job off`() throws {
    let runner = try runner(requests: 60)
    try runUntilLeased(runner)
    try runner.switchJob("com.example.job", isOn: false)
    #expect(try leased(runner) == [])
    let launched = runner.launched.count
    runner.run(for: .seconds(5))
    #expect(runner.launched.count == launched)
    try runner.switchJob("com.example.job", isOn: true)
    runner.run(for: .seconds(5))
    #expect(try runner.endedRuns().count == 60)
  }

  @Test func `PL12: so does a reload, and the newer definition starts the rest`() throws {
    let runner = try runner(requests: 60)
    try runUntilLeased(runner)
    let newer = job {
      $0.action = .handler("com.example.job")
      $0.title = "newer"
    }
    let launched = runner.launched.count
    runner.deliver(
      .reloaded(
        JobSet(
          app: "com.example", concurrency: ConcurrencyLimits(total: 1), jobs: [newer],
          digest: "2")))
    runner.run(for: .seconds(5))
    #expect(runner.launched.count == 60)
    #expect(runner.launched.dropFirst(launched).allSatisfy { $0.job.title == "newer" })
    #expect(try runner.outcomes() == Array(repeating: .succeeded, count: 60))
  }

  @Test func `PL14: a stop leaves what is claimed ahead pending as it was, with no row`() throws {
    let runner = try runner(requests: 60)
    try runUntilLeased(runner)
    runner.stop()
    runner.run(for: .seconds(20))
    let launched = runner.launched.count
    #expect(runner.summary != nil)
    #expect(try runner.endedRuns().count == launched)
    let snapshot = try runner.snapshot("com.example.job")
    #expect(snapshot.live == [])
    #expect(snapshot.pendingCount >= 60 - launched)
    #expect(snapshot.heads.filter { $0.starts == 0 }.count >= 2)
  }

  @Test func `CP5: a cancelled one ends as what waits does, and is never launched`() throws {
    let runner = try runner(requests: 60)
    try runUntilLeased(runner)
    let last = try #require(try leased(runner).last)
    try runner.commitElsewhere(
      .requestStop(StopRequest(run: last.run, reason: .userCancelled)))
    runner.run(for: .seconds(5))
    #expect(!runner.launched.contains { $0.request.key == last.request.key })
    let row = try #require(try runner.history().first { $0.key == last.request.key })
    #expect(row.outcome == .cancelled)
    #expect(row.reason == .userCancelled)
    #expect(row.run == nil)
    #expect(try runner.endedRuns().count == 59)
  }

  @Test func `PL5: a more urgent job has the next free place`() throws {
    let urgent = job("com.example.urgent") {
      $0.action = .handler("com.example.urgent")
      $0.qualityOfService = .userInitiated
    }
    let runner = try runner(requests: 60, others: [urgent])
    try runUntilLeased(runner)
    let launched = runner.launched.count
    try runner.submit("com.example.urgent")
    runner.run(for: .seconds(5))
    #expect(
      runner.launched.dropFirst(launched).first?.request.identifier == "com.example.urgent")
    #expect(try runner.endedRuns().count == 61)
  }

  @Test func `DU4: nothing of it starts while the store can't be written`() throws {
    let runner = try runner(requests: 60)
    try runUntilLeased(runner)
    runner.world.fail(with: StoreFailure(cause: .diskFull, sentence: "no space left"))
    runner.run(for: .milliseconds(40))
    let launched = runner.launched.count
    runner.run(for: .seconds(30))
    #expect(runner.launched.count == launched)
    runner.world.fail(with: nil)
    runner.run(for: .seconds(60))
    #expect(try runner.outcomes() == Array(repeating: .succeeded, count: 60))
    #expect(Set(runner.launched.map(\.request.key)).count == 60)
  }

  @Test func `DU2: after a crash each run says that it may not have started, and costs nothing`()
    throws
  {
    let first = try runner(requests: 60)
    try runUntilLeased(first)
    let lost = try leased(first).map(\.run)
    let keys = try leased(first).map(\.request.key)
    first.crash()
    let second = try VirtualRunner(
      [job { $0.action = .handler("com.example.job") }], world: first.world, at: first.now,
      limits: ConcurrencyLimits(total: 1))
    second.host.script = { _, _ in
      Behaviour(takes: .milliseconds(1), completion: .succeeded)
    }
    try second.start()
    let rows = try second.history().filter { $0.run.map(lost.contains) ?? false }
    #expect(rows.count == lost.count)
    #expect(rows.allSatisfy { $0.outcome == .interrupted && $0.reason == .ownerLost })
    #expect(rows.allSatisfy { $0.detail == "claimed ahead, may not have started" })
    let waiting = try second.snapshot("com.example.job").heads.filter { keys.contains($0.key) }
    #expect(waiting.count > 1)
    #expect(waiting.allSatisfy { $0.attempt == 1 && $0.returnsInRow == 0 })
    second.run(for: .seconds(300))
    let succeeded = try second.history().filter { $0.outcome == .succeeded }.map(\.key)
    #expect(succeeded.count == 60)
    #expect(Set(succeeded).count == 60)
  }
}

extension Transition {
  fileprivate var claim: Claim? {
    if case .claim(let claim) = self { claim } else { nil }
  }

  fileprivate var isLease: Bool { claim?.isLease ?? false }
}
