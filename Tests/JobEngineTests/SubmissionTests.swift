import JobEngine
import JobModel
import Testing

@Suite("Submissions, keys and places")
struct SubmissionTests {
  @Test func `SB1: submitted twice while both wait, the older one is replaced`() throws {
    let runner = try VirtualRunner(
      [job { $0.conditions.requiresExternalPower = true }], device: onBattery())
    try runner.start()
    try runner.submit("com.example.job")
    try runner.submit("com.example.job") { $0.title = "the newer one" }
    #expect(try runner.outcomes() == [.cancelled])
    #expect(try runner.history().map(\.reason) == [.replaced])
    runner.update { $0.externalPower.value = true }
    runner.run(for: .seconds(10))
    #expect(runner.launched.map(\.request.title) == ["the newer one"])
  }

  @Test func `SB1: while one runs, a new one with its key waits for its real end`() throws {
    let runner = try VirtualRunner([job { $0.maxRunning = 3 }])
    runner.host.script = { _, _ in .succeeds(after: .seconds(100)) }
    try runner.start()
    try runner.submit("com.example.job")
    runner.run(for: .seconds(10))
    try runner.submit("com.example.job")
    runner.run(for: .seconds(60))
    #expect(runner.launched.count == 1)
    runner.run(for: .seconds(60))
    #expect(runner.launchSeconds() == [0, 100])
  }

  @Test func `SB1: a submission removes neither an instant nor a waiting retry`() throws {
    let runner = try VirtualRunner([
      job(every: .seconds(3600)) {
        $0.retry.maxAttempts = 2
        $0.retry.initialDelay = .seconds(600)
        $0.retry.hasJitter = false
      }
    ])
    runner.host.script = { _, earlier in earlier == 0 ? .exits(1) : .succeeds(after: .seconds(1)) }
    try runner.start()
    runner.run(for: .seconds(60))
    try runner.submit("com.example.job")
    runner.run(for: .seconds(3540))
    #expect(try runner.history().allSatisfy { $0.outcome != .cancelled })
    // The instant, the submission, the retry, and the next instant.
    #expect(runner.launched.count == 4)
  }

  @Test func `1,000 keys of one identifier with maxRunning 4: all run, never more than 4`() throws {
    let runner = try VirtualRunner([job { $0.maxRunning = 4 }], limits: ConcurrencyLimits(total: 8))
    runner.checksFixpoint = false
    try runner.start()
    _ = try runner.commitElsewhere(
      (0..<1000).map { key in
        var submission = Submission(
          identifier: "com.example.job", kind: .processing, submittedAt: runner.now.wall)
        submission.key = "\(key)"
        return .submit(submission)
      })
    var most = 0
    while runner.launched.count < 1000 || !runner.host.live.isEmpty {
      most = max(most, runner.host.live.count)
      let before = runner.launched.count
      runner.run(for: .seconds(1))
      guard runner.launched.count > before || !runner.host.live.isEmpty else { break }
    }
    #expect(most == 4)
    #expect(try runner.endedRuns().count == 1000)
    #expect(Set(runner.launched.map(\.request.key)).count == 1000)
  }

  @Test func `PL5: quality of service, then due time, then identifier order the start`() throws {
    func quality(_ identifier: JobIdentifier, _ quality: QualityOfService) -> JobDefinition {
      job(identifier) { $0.qualityOfService = quality }
    }
    let runner = try VirtualRunner(
      [
        quality("com.example.a", .background), quality("com.example.b", .utility),
        quality("com.example.c", .utility), quality("com.example.d", .userInitiated),
        job("com.example.z", every: .seconds(86_400)),
      ], limits: ConcurrencyLimits(total: 1))
    try runner.start()
    for identifier: JobIdentifier in ["com.example.c", "com.example.a", "com.example.d"] {
      try runner.submit(identifier)
    }
    runner.pass(.milliseconds(500))
    try runner.submit("com.example.b")
    runner.run(for: .seconds(60))
    #expect(
      runner.launched.map(\.request.identifier.text).map { $0.suffix(1) }
        == ["z", "d", "c", "b", "a"])
  }

  @Test func `PL5: concurrency.total holds for refresh and processing together`() throws {
    let runner = try VirtualRunner([
      job("com.example.a", kind: .appRefresh), job("com.example.b"), job("com.example.c"),
    ])
    runner.host.script = { _, _ in .succeeds(after: .seconds(10)) }
    try runner.start()
    try runner.submit("com.example.a", kind: .appRefresh)
    try runner.submit("com.example.b")
    try runner.submit("com.example.c")
    runner.run(for: .seconds(5))
    #expect(runner.launched.count == 2)
    #expect(runner.waitingGates.last == .concurrency)
    runner.run(for: .seconds(10))
    #expect(runner.launched.count == 3)
  }

  @Test func `SB4: earliestBegin is a floor`() throws {
    let runner = try VirtualRunner([job()])
    try runner.start()
    try runner.submit("com.example.job") {
      $0.notBefore = $0.submittedAt + .seconds(600)
      $0.floor = .earliestBegin
    }
    runner.run(for: .seconds(599))
    #expect(runner.launched.isEmpty)
    #expect(runner.waitingGates == [.earliestBegin])
    runner.run(for: .seconds(2))
    #expect(runner.launchSeconds() == [600])
  }

  @Test func `SB5: a request is one-shot`() throws {
    let runner = try VirtualRunner([job()])
    try runner.start()
    try runner.submit("com.example.job")
    runner.run(for: .seconds(86_400))
    #expect(runner.launched.count == 1)
    #expect(runner.plan == WakePlan())
  }

  @Test func `SB8: a pending request survives the runner's death`() throws {
    let first = try VirtualRunner(
      [job { $0.conditions.requiresExternalPower = true }], device: onBattery())
    try first.start()
    try first.submit("com.example.job")
    first.crash()
    let second = try VirtualRunner([job()], world: first.world)
    try second.start()
    second.run(for: .seconds(10))
    #expect(second.launched.count == 1)
  }

  @Test func `SB10: a job that was switched off waits, and its instants become one row`() throws {
    let runner = try VirtualRunner([job(every: .seconds(60))])
    try runner.start()
    runner.run(for: .seconds(10))
    try runner.commitElsewhere(
      .switchJob(JobSwitch(identifier: "com.example.job", isEnabled: false, at: runner.now.wall)))
    try runner.submit("com.example.job", key: "x")
    runner.run(for: .seconds(300))
    #expect(runner.launched.count == 1)
    #expect(runner.wakeUps.count <= 1)
    #expect(runner.waitingGates.last == .disabled)
    try runner.commitElsewhere(
      .switchJob(JobSwitch(identifier: "com.example.job", isEnabled: true, at: runner.now.wall)))
    runner.run(for: .seconds(100))
    let skipped = try runner.history().filter { $0.outcome == .skipped }
    #expect(skipped.map(\.reason) == [.disabled])
    #expect(skipped.map(\.count) == [5])
    #expect(runner.launchSeconds() == [0, 310, 360])
  }

  @Test func `SB10: a stop records what a disabled job missed`() throws {
    let runner = try VirtualRunner([job(every: .seconds(60))])
    try runner.start()
    runner.run(for: .seconds(10))
    try runner.commitElsewhere(
      .switchJob(JobSwitch(identifier: "com.example.job", isEnabled: false, at: runner.now.wall)))
    runner.run(for: .seconds(200))
    runner.stop()
    #expect(try runner.history().last?.reason == .disabled)
    #expect(try runner.history().last?.count == 3)
    #expect(runner.summary != nil)
  }

  @Test func `SB10: a reload that enables a job records what it missed and fires nothing`() throws {
    let off = job(every: .seconds(60)) { $0.isEnabled = false }
    let world = try {
      let before = try VirtualRunner([job(every: .seconds(60))])
      try before.start()
      before.run(for: .seconds(10))
      before.stop()
      return before.world
    }()
    let runner = try VirtualRunner([off], world: world)
    try runner.start()
    runner.run(for: .seconds(200))
    runner.deliver(
      .reloaded(
        JobSet(
          app: "com.example", concurrency: ConcurrencyLimits(total: 2),
          jobs: [job(every: .seconds(60))], digest: "2")))
    #expect(runner.launched.isEmpty)
    #expect(try runner.history().last?.reason == .disabled)
    runner.run(for: .seconds(60))
    #expect(runner.launched.count == 1)
  }
}
