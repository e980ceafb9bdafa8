import JobEngine
import JobModel
import Testing

private let identifier: JobIdentifier = "com.example.export"

@Suite("Continued processing")
struct ContinuedTests {
  private func runner(
    _ behaviour: Behaviour, _ change: (inout JobDefinition) -> Void = { _ in }
  ) throws -> VirtualRunner {
    let runner = try VirtualRunner([
      job(identifier, kind: .continuedProcessing) {
        $0.maxRunning = 10
        change(&$0)
      }
    ])
    runner.host.script = { _, _ in behaviour }
    try runner.start()
    return runner
  }

  private func start(_ runner: VirtualRunner, _ keys: String...) throws {
    for key in keys { try runner.submit(identifier, key: key, kind: .continuedProcessing) }
  }

  private func report(_ fraction: Double, after seconds: Int) -> (
    after: Duration, report: ProgressReport
  ) {
    (.seconds(seconds), ProgressReport(fraction: fraction))
  }

  @Test func `CP3: no change of the fraction for stallAfter expires it`() throws {
    let runner = try runner(
      Behaviour(takes: nil, reports: [report(0.1, after: 20), report(0.1, after: 40)]))
    try start(runner, "")
    runner.run(for: .seconds(49))
    #expect(runner.warnings.isEmpty)
    runner.run(for: .seconds(2))
    #expect(runner.warnings == [.progressStalled])
    #expect(try runner.history().map(\.reason) == [.progressStalled])
    #expect(try runner.history().map(\.progress) == [0.1])
  }

  @Test func `CP3: with progress it has no time limit`() throws {
    let runner = try runner(
      Behaviour(
        takes: .seconds(5000), reports: (1...200).map { report(Double($0) / 200, after: $0 * 25) }))
    try start(runner, "")
    runner.run(for: .seconds(6000))
    #expect(try runner.outcomes() == [.succeeded])
  }

  @Test func `CP3: EXTEND_TIMEOUT extends the stall time`() throws {
    let runner = try runner(
      Behaviour(takes: nil, reports: [(.seconds(10), ProgressReport(extending: .seconds(300)))]))
    try start(runner, "")
    runner.run(for: .seconds(309))
    #expect(runner.warnings.isEmpty)
    runner.run(for: .seconds(2))
    #expect(runner.warnings == [.progressStalled])
  }

  @Test func `progress reaches the store at most once a second`() throws {
    let reports = (1...100).map {
      (after: Duration.milliseconds($0 * 50), report: ProgressReport(fraction: Double($0) / 200))
    }
    let runner = try runner(Behaviour(takes: .seconds(10), reports: reports))
    try start(runner, "")
    runner.run(for: .milliseconds(9900))
    let written = runner.commits.joined().filter { if case .progress = $0 { true } else { false } }
    #expect((5...7).contains(written.count))
    #expect(try runner.snapshot(identifier).live.map(\.progress) == [0.5])
  }

  @Test func `CP6: queue waits for a free place in the order of submission, apart from the total`()
    throws
  {
    let runner = try runner(Behaviour(takes: .seconds(20)))
    try start(runner, "c", "b")
    runner.run(for: .seconds(1))
    try start(runner, "a", "z", "y")
    runner.run(for: .seconds(1))
    #expect(runner.launched.map(\.request.key) == ["c", "b", "a"])
    runner.run(for: .seconds(60))
    #expect(runner.launched.map(\.request.key).suffix(2) == ["z", "y"])
  }

  @Test func `SB7: fail meets a full machine, decided once`() throws {
    let runner = try runner(Behaviour(takes: .seconds(20))) { $0.strategy = .fail }
    try start(runner, "a", "b", "c", "d")
    runner.run(for: .seconds(60))
    #expect(runner.launched.count == 3)
    let row = try #require(try runner.history().first { $0.run == nil })
    #expect(row.reason == .strategyFail)
    #expect(row.detail == "concurrency")
  }

  @Test func `CP5: a person's cancellation ends it as cancelled, even if it had to be killed`()
    throws
  {
    let runner = try runner(Behaviour(takes: nil, onWarning: .ignores))
    try start(runner, "")
    runner.run(for: .seconds(5))
    try runner.commitElsewhere(
      .requestStop(StopRequest(run: RunNumber(1), reason: .userCancelled)))
    runner.run(for: .seconds(30))
    #expect(try runner.outcomes() == [.cancelled])
    #expect(try runner.history().map(\.detail) == ["SIGKILL was needed"])
    #expect(runner.warnings == [.userCancelled])
  }

  @Test func `RG7: a concrete identifier is run by the pattern that covers it`() throws {
    let runner = try VirtualRunner([
      job("com.example.export.*", kind: .continuedProcessing) { $0.action = .shell("pattern") },
      job("com.example.export.exact", kind: .continuedProcessing) { $0.action = .shell("exact") },
      job("com.example.export.long.*", kind: .continuedProcessing) { $0.action = .shell("long") },
    ])
    try runner.start()
    for name in ["one", "exact", "long.two"] {
      try runner.submit(JobIdentifier("com.example.export.\(name)"), kind: .continuedProcessing)
    }
    runner.run(for: .seconds(10))
    #expect(
      runner.launched.map(\.job.action) == [.shell("pattern"), .shell("exact"), .shell("long")])
  }

  @Test func `PL9: continued tasks are never scheduled`() throws {
    let runner = try runner(.succeeds(after: .seconds(1)))
    runner.run(for: .seconds(86_400))
    #expect(runner.launched.isEmpty)
    #expect(runner.wakeUps.isEmpty)
  }
}
