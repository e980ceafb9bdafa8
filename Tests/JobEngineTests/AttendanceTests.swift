import JobEngine
import JobModel
import StoreConformance
import Testing

private let identifier: JobIdentifier = "com.example.export"

/// Continued tasks that somebody follows, or nobody.
@Suite("Continued tasks and who watches them")
struct AttendanceTests {
  private func runner(
    _ behaviour: Behaviour, keys: [String] = [""],
    _ change: (inout JobDefinition) -> Void = { _ in }
  ) throws -> VirtualRunner {
    let runner = try VirtualRunner([
      job(identifier, kind: .continuedProcessing) {
        $0.maxRunning = 10
        change(&$0)
      }
    ])
    runner.host.script = { _, _ in behaviour }
    try runner.start()
    for key in keys { try runner.submit(identifier, key: key, kind: .continuedProcessing) }
    return runner
  }

  private func attend(_ runner: VirtualRunner, _ runs: Int64..., canAnswer: Bool = true) {
    let runs = Set(runs.map { RunNumber($0) })
    runner.deliver(.attended(Attendance(followed: runs, interactive: canAnswer ? runs : [])))
  }

  /// Since when the store says that the runs have stalled, in seconds of virtual time.
  private func stalls(_ runner: VirtualRunner) throws -> [Double?] {
    try runner.snapshot(identifier).live.map { run in
      run.stalledSince.map { ($0 - Now.start.wall).inSeconds }
    }
  }

  private let reporting = Behaviour(
    takes: nil,
    reports: [
      (.seconds(10), ProgressReport(fraction: 0.1)), (.seconds(60), ProgressReport(fraction: 0.2)),
    ])

  // MARK: CP3

  @Test func `CP3: at the stall of a run whose follower can answer, the person is asked`() throws {
    let runner = try runner(.runsForEver)
    attend(runner, 1)
    runner.run(for: .seconds(29))
    #expect(try stalls(runner) == [nil])
    runner.run(for: .seconds(1000))
    #expect(try stalls(runner) == [0])
    #expect(runner.warnings.isEmpty)
    #expect(
      runner.notices.contains(.runStalled(RunNumber(1), identifier, after: .seconds(30))))
  }

  @Test func `CP3: a follower that can't answer isn't asked`() throws {
    let runner = try runner(.runsForEver)
    attend(runner, 1, canAnswer: false)
    runner.run(for: .seconds(31))
    #expect(runner.warnings == [.progressStalled])
  }

  @Test func `CP3: going on waiting starts the clock again, and the person is asked again`() throws
  {
    let runner = try runner(.runsForEver)
    attend(runner, 1)
    runner.run(for: .seconds(40))
    #expect(try stalls(runner) == [0])
    try runner.commitElsewhere(.goOnWaiting(RunNumber(1)))
    #expect(try stalls(runner) == [nil])
    runner.run(for: .seconds(29))
    #expect(try stalls(runner) == [nil])
    runner.run(for: .seconds(2))
    #expect(try stalls(runner) == [0])
    #expect(runner.warnings.isEmpty)
  }

  @Test func `CP3: who doesn't go on waiting lets the stall count, and it is retried by retry`()
    throws
  {
    let runner = try runner(.runsForEver) { $0.retry.maxAttempts = 2 }
    attend(runner, 1)
    runner.run(for: .seconds(40))
    try runner.commitElsewhere(
      .requestStop(StopRequest(run: RunNumber(1), reason: .progressStalled)))
    runner.run(for: .seconds(1))
    let row = try #require(try runner.history().first)
    #expect(row.outcome == .expired)
    #expect(row.reason == .progressStalled)
    #expect(row.detail == "the person who was asked did not wait")
    #expect(try runner.snapshot(identifier).heads.map(\.attempt) == [2])
  }

  @Test func `CP3: progress that comes meanwhile withdraws the question`() throws {
    let runner = try runner(reporting)
    attend(runner, 1)
    runner.run(for: .seconds(45))
    #expect(try stalls(runner) == [10])
    runner.run(for: .seconds(16))
    #expect(try stalls(runner) == [nil])
    runner.run(for: .seconds(30))
    #expect(try stalls(runner) == [60])
  }

  @Test func `CP3: an extension that comes meanwhile withdraws the question`() throws {
    let runner = try runner(
      Behaviour(takes: nil, reports: [(.seconds(40), ProgressReport(extending: .seconds(100)))]))
    attend(runner, 1)
    runner.run(for: .seconds(139))
    #expect(try stalls(runner) == [nil])
    runner.run(for: .seconds(2))
    #expect(try stalls(runner) == [0])
  }

  @Test func `CP3: when the last one who could answer goes, the clock starts again unattended`()
    throws
  {
    let runner = try runner(.runsForEver)
    attend(runner, 1)
    runner.run(for: .seconds(40))
    attend(runner)
    #expect(try stalls(runner) == [nil])
    runner.run(for: .seconds(29))
    #expect(runner.warnings.isEmpty)
    runner.run(for: .seconds(2))
    #expect(runner.warnings == [.progressStalled])
  }

  @Test func `CP3: a question that the store can't take isn't asked, and the run isn't expired`()
    throws
  {
    let runner = try runner(.runsForEver)
    attend(runner, 1)
    runner.run(for: .seconds(1))
    runner.world.fail(with: StoreFailure(cause: .diskFull, sentence: "no space left"))
    runner.run(for: .seconds(40))
    #expect(runner.warnings.isEmpty)
    runner.world.fail(with: nil)
    try runner.submit(identifier, key: "other", kind: .continuedProcessing)
    runner.run(for: .seconds(25))
    #expect(try stalls(runner).first == 0)
    #expect(runner.warnings.isEmpty)
  }

  @Test func `CP5: an open question doesn't keep a person from cancelling`() throws {
    let runner = try runner(.runsForEver)
    attend(runner, 1)
    runner.run(for: .seconds(40))
    try runner.commitElsewhere(
      .requestStop(StopRequest(run: RunNumber(1), reason: .userCancelled)))
    runner.run(for: .seconds(1))
    #expect(try runner.outcomes() == [.cancelled])
  }

  // MARK: CP9

  private func foregrounds(_ runner: VirtualRunner) -> [Bool] {
    runner.foregrounds.map(\.isForeground)
  }

  @Test func `CP9: a run that nobody watches goes behind, and comes back with a follower`() throws {
    let runner = try runner(.runsForEver)
    runner.run(for: .seconds(1))
    #expect(foregrounds(runner) == [false])
    attend(runner, 1, canAnswer: false)
    attend(runner, 1)
    #expect(foregrounds(runner) == [false, true])
    attend(runner)
    #expect(foregrounds(runner) == [false, true, false])
  }

  @Test(arguments: [true, false])
  func `CP9: what a person at the runner's own terminal starts at once stays in the foreground`(
    isWatched: Bool
  ) throws {
    let runner = try VirtualRunner([job(identifier, kind: .continuedProcessing)]) {
      $0.startNow = [identifier]
      $0.isWatched = isWatched
    }
    runner.host.script = { _, _ in .runsForEver }
    try runner.start()
    runner.run(for: .seconds(1))
    #expect(foregrounds(runner) == [isWatched])
  }

  @Test func `CP3: a store that was in trouble learns late that nobody is asked any more`() throws {
    let runner = try runner(reporting)
    attend(runner, 1)
    runner.run(for: .seconds(45))
    #expect(try stalls(runner) == [10])
    runner.world.fail(with: StoreFailure(cause: .diskFull, sentence: "no space left"))
    runner.run(for: .seconds(16))
    runner.world.fail(with: nil)
    try runner.submit(identifier, key: "other", kind: .continuedProcessing)
    runner.run(for: .seconds(1))
    #expect(try stalls(runner).first == .some(nil))
  }

  @Test func `CP9: only continued tasks are moved`() throws {
    let runner = try VirtualRunner([job("com.example.job")])
    runner.host.script = { _, _ in .runsForEver }
    try runner.start()
    try runner.submit("com.example.job")
    runner.run(for: .seconds(1))
    attend(runner, 1)
    #expect(runner.foregrounds.isEmpty)
  }
}
