import BGRun
import JobModel
import SQLiteStore
import Testing

@Suite("bgrun enable and disable")
struct SwitchCommandTests {
  private let bench: Bench
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
    let outcome = bench.run("disable", "com.example.male", "--state", bench.state)
    #expect(outcome.code == .notDone)
    #expect(outcome.errors.hasSuffix("Did you mean 'com.example.mail'?\n"))
    #expect(try disabledSince == nil)
  }
}
