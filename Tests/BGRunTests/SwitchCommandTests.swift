import BGRun
import JobModel
import SQLiteStore
import Testing

@Suite("bgrun enable and disable")
struct SwitchCommandTests {
  private let bench: Bench
  private let fetch = JobIdentifier("com.example.mail.fetch")
  private let runner: RunnerStandIn

  init() throws {
    bench = try Bench()
    runner = try RunnerStandIn(bench.openStore())
    try runner.submit("com.example.mail")
  }

  private var disabledSince: WallInstant? {
    get throws {
      try runner.store.snapshots(of: nil, headLimit: 1).first?.record.disabledSince
    }
  }

  @Test func `SB10: a person switches a job off and on again`() throws {
    #expect(
      bench.run("disable", "com.example.mail", "--state", bench.state)
        == Bench.Outcome(code: .done, output: "com.example.mail is disabled.\n", errors: ""))
    #expect(try disabledSince == Bench.start)
    #expect(
      bench.run("enable", "com.example.mail", "--state", bench.state)
        == Bench.Outcome(code: .done, output: "com.example.mail is enabled.\n", errors: ""))
    #expect(try disabledSince == nil)
  }

  /// The mail job's schedule is known to the store up to now, and no runner is alive.
  private func recordSchedule() throws -> RunnerStandIn {
    try bench.writeManifest()
    let runner = try bench.startRunner()
    try runner.propose(
      .recordInstants(
        InstantRecording(
          identifier: fetch, expectedAnchor: nil, newAnchor: Bench.start,
          scheduleFingerprint: Schedule.every(.seconds(900)).fingerprint, recordedAt: Bench.start)))
    return runner
  }

  @Test(arguments: [true, false])
  func `SB10: what passed while it was off becomes one row, with and without a runner`(
    hasRunner: Bool
  ) throws {
    let runner = try recordSchedule()
    #expect(bench.run("disable", "com.example.mail.fetch").code == .done)
    if !hasRunner { try runner.leave() }
    bench.now = Bench.start + .seconds(3600)
    #expect(
      bench.run("enable", "com.example.mail.fetch").output == """
        com.example.mail.fetch is enabled.
        The 4 instants that passed meanwhile are recorded as skipped.

        """)
    let row = try #require(
      try runner.store.history(of: fetch, limit: nil).first)
    #expect(row.outcome == .skipped)
    #expect(row.reason == .disabled)
    #expect(row.count == 4)
    let record = try runner.store.snapshots(of: [fetch], headLimit: 1)[0].record
    #expect(record.anchor == bench.now)
    #expect(
      bench.run("enable", "com.example.mail.fetch").output == "com.example.mail.fetch is enabled.\n"
    )
  }

  @Test func `SB10: a job that was on has nothing to record`() throws {
    let runner = try recordSchedule()
    try runner.leave()
    bench.now = Bench.start + .seconds(3600)
    #expect(
      bench.run("enable", "com.example.mail.fetch").output == "com.example.mail.fetch is enabled.\n"
    )
    #expect(try runner.store.history(of: fetch, limit: nil).isEmpty)
  }

  @Test func `SB10: enable can't override the manifest, and says so`() throws {
    try bench.writeManifest()
    let outcome = bench.run("enable", "com.example.mail.off")
    #expect(outcome.code == .notDone)
    #expect(
      outcome.errors == """
        bgrun: 'com.example.mail.off' stays off: its manifest says 'enabled: false', which 'enable' \
        can't override
        Remove that line from the manifest.

        """)
  }

  @Test func `an unknown job is refused with the nearest one`() throws {
    let outcome = bench.run("disable", "com.example.mial", "--state", bench.state)
    #expect(outcome.code == .notDone)
    #expect(outcome.errors.hasSuffix("Did you mean 'com.example.mail'?\n"))
    #expect(try disabledSince == nil)
  }
}
