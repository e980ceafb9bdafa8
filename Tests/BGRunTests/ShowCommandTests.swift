import BGRun
import Testing

@Suite("bgrun show")
struct ShowCommandTests {
  private let bench: Bench

  init() throws {
    bench = try Bench()
    try bench.writeManifest()
  }

  @Test func `tells each value and where it comes from`() {
    let outcome = bench.run("show", "com.example.mail.vacuum")
    #expect(outcome.code == .done)
    let rows = outcome.output.split(separator: "\n").map { $0.split(separator: " ") }
    for row in [
      ["timeLimit", "20m", "job", "jobs/mail.yaml:16"],
      ["requiresExternalPower", "true", "defaults", "jobs/mail.yaml:5"],
      ["kind", "processing", "built-in"],
      ["expirationGrace", "10s", "built-in"],
      ["workingDirectory", "~/jobs", "built-in"],
    ] {
      #expect(rows.contains { $0 == row.map { $0[...] } }, "\(row)")
    }
  }

  @Test func `leaves out what has no effect on the job`() {
    let output = bench.run("show", "com.example.mail.vacuum").output
    #expect(!output.contains("\nschedule."))
    #expect(!output.contains("\nhandler"))
    #expect(bench.run("show", "com.example.mail.fetch").output.contains("\nschedule.catchUp "))
  }

  @Test func `names the entry that permits a member of a wildcard`() {
    #expect(
      bench.run("show", "com.example.mail.export.june").output.hasPrefix(
        "com.example.mail.export.june is permitted by the entry com.example.mail.export.*:\n"))
  }

  @Test func `an unknown job is refused with the nearest one`() {
    let outcome = bench.run("show", "com.example.mail.vacum")
    #expect(outcome.code == .notDone)
    #expect(outcome.errors.hasSuffix("Did you mean 'com.example.mail.vacuum'?\n"))
  }
}
