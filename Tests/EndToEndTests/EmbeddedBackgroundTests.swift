import Glibc
import Testing

/// Background tasks that are begun in a server: its stop waits for them.
@Suite("Background tasks in a server")
struct EmbeddedBackgroundTests {
  private func server(_ job: String, in place: Workplace) throws -> RunningProgram {
    let server = try place.start(["usual"], program: "EmbeddedFixture")
    try server.waitFor("event run-ended: com.example.\(job): run 1 succeeded")
    return server
  }

  private func place(_ job: String, backgroundTime: String) throws -> Workplace {
    try Workplace(
      "  - {identifier: com.example.\(job), kind: processing, schedule: {every: 7d}}\n",
      top: "version: 1\nlifecycle: {backgroundTime: \(backgroundTime)}\n")
  }

  @Test func `PL14, BG1: run() returns when the task is ended, and not before`() throws {
    let place = try place("uploading", backgroundTime: "1h")
    let server = try server("uploading", in: place)
    server.send(SIGTERM)
    try server.waitFor("event finishing-in-background")
    #expect(!server.outputSoFar.contains("returned"))
    server.send(SIGUSR2)
    let ended = try server.waitForEnd(seconds: 10)
    #expect(ended.status == 0)
    #expect(ended.output.contains("\nending the upload\n"))
    #expect(ended.output.hasSuffix("returned\n"))
    #expect(ended.errors.isEmpty)
  }

  @Test func `PL14, EM1, BG5: run() waits no longer than backgroundTime for one that is leaked`()
    throws
  {
    let place = try place("leaking", backgroundTime: "2s")
    let server = try server("leaking", in: place)
    server.send(SIGTERM)
    try server.waitFor("told that the time is over")
    let ended = try server.waitForEnd(seconds: 10)
    #expect(ended.status == 0, "it is its owner's to end")
    #expect(ended.output.hasSuffix("returned\n"))
    #expect(
      ended.errors.contains(
        "1 background task was still begun when the background time of 2s had run out"))
    #expect(
      ended.errors.firstMatch(
        of:
          /'leak' was begun at EmbeddedFixture\/EmbeddedFixture\.swift:\d+; its expiration handler/)
        != nil)
  }
}
