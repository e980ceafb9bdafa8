import Glibc
import Testing

/// Handlers in a server's own process that ignore their expiration: nothing can kill them.
@Suite("Embedded handlers that overrun")
struct EmbeddedOverrunTests {
  private func place(timeLimit: String, _ more: String = "") throws -> Workplace {
    try Workplace(
      """
        - identifier: com.example.stubborn
          kind: processing
          schedule: {every: 7d}
          timeLimit: \(timeLimit)
          expirationGrace: 200ms
          retry: {initialDelay: 1s}

      """ + more)
  }

  private func server(in place: Workplace, _ variation: String = "usual") throws -> RunningProgram {
    try place.start([variation], program: "EmbeddedFixture")
  }

  @Test func `EM1: with hold the run stays expiring in its place, and ends when it does`() throws {
    let place = try place(timeLimit: "1s")
    let server = try server(in: place)
    try server.waitFor(
      "event run-overran: com.example.stubborn: run 1 did not end within its grace")
    #expect(try place.bgrun("status").output.contains("expiring"))
    let why = try place.bgrun("why", "com.example.stubborn").output
    #expect(why.contains("stopping since"))
    #expect(why.contains("its grace is over"))
    #expect(try place.history().isEmpty, "ST2: it has not ended")
    server.send(SIGUSR2)
    try server.waitFor("event run-ended: com.example.stubborn: run 1 succeeded (timeLimit)")
    server.send(SIGTERM)
    #expect(try server.waitForEnd(seconds: 5).status == 0)
    #expect(try place.history().map { $0["outcome"] as? String } == ["succeeded"])
  }

  @Test func `EM1, PL14: run() returns all the same, and a late end is recorded, once`() throws {
    let place = try place(timeLimit: "10m")
    let server = try server(in: place, "again")
    try server.waitFor("ignoring")
    server.send(SIGTERM)
    // 200 ms of grace and 2 s.
    try server.waitFor("returned", seconds: 6)
    try server.waitFor("event overstaying: stopped, but handlers run on in this process")
    // The server runs its jobs again; the run of the first call has its place still.
    try server.waitFor("event ready: 1 job of default", seconds: 6)
    #expect(try place.history().isEmpty)
    #expect(try place.bgrun("status").output.contains("expiring"))
    // The one that stays for its handler isn't a second runner.
    try Workplace.wait(until: { (try? place.bgrun("status"))?.output.contains("alive") == false })
    server.send(SIGUSR2)
    try server.waitFor("event run-ended: com.example.stubborn: run 1")
    // It had been put back by its success or not at all: a success is final.
    #expect(try place.history().map { $0["outcome"] as? String } == ["succeeded"])
    server.send(SIGTERM)
    #expect(try server.waitForEnd(seconds: 8).status == 0)
    #expect(try place.history().count == 1)
  }

  @Test func `DU2: a process that ends while a handler overstays leaves its run to the next`()
    throws
  {
    let place = try place(timeLimit: "10m")
    let first = try server(in: place)
    try first.waitFor("ignoring")
    first.send(SIGTERM)
    #expect(try first.waitForEnd(seconds: 8).status == 0)
    #expect(try place.history().isEmpty)
    let second = try server(in: place)
    try second.waitFor("event run-started: com.example.stubborn: run 2")
    let row = try #require(try place.history().first)
    #expect(row["outcome"] as? String == "interrupted")
    #expect(row["reason"] as? String == "ownerLost")
  }

  @Test func `EM1: with exit the process ends, though handlers block all of Swift's pool`()
    throws
  {
    let blocking = ["a", "b", "c"].map {
      "  - {identifier: com.example.blocking-\($0), kind: processing, timeLimit: 1s, "
        + "expirationGrace: 200ms, schedule: {every: 7d}}\n"
    }.joined()
    let place = try Workplace(
      blocking + """
          - identifier: com.example.program
            shell: "exec sleep 73.75"
            expirationGrace: 1s
            schedule: {every: 7d}

        """, top: "version: 1\nconcurrency: {total: 4}\n")
    let server = try server(in: place, "exit")
    try server.waitFor("event run-started: com.example.program")
    let ended = try server.waitForEnd(seconds: 15)
    #expect(ended.status == 75)
    #expect(
      ended.errors.contains(
        "bgrun error: this process ends with status 75: run"))
    #expect(ended.output.contains("event process-ended: this process ends with status 75"))
    let row = try #require(try place.history("com.example.program").first)
    #expect(row["reason"] as? String == "shutdown", "what could be stopped was stopped in order")
    #expect(Workplace.processes(running: "sleep 73.75").isEmpty)
    _ = try place.bgrun("run", "bgrun.yaml", "--once", "--job", "com.example.program")
    let lost = try place.history().filter { $0["reason"] as? String == "ownerLost" }
    #expect(lost.count == 3)
  }

  @Test func `without a listener, warnings and errors are lines on standard error`() throws {
    let place = try place(timeLimit: "1s")
    let server = try server(in: place, "silent")
    try server.waitFor("bgrun error: com.example.stubborn: run 1 did not end within its grace")
    server.send(SIGUSR2)
    server.send(SIGTERM)
    let ended = try server.waitForEnd(seconds: 8)
    #expect(ended.output == "ignoring\nreturned\n")
    #expect(ended.errors.split(separator: "\n").count == 2, "\(ended.errors)")
    #expect(ended.errors.contains("bgrun warning: com.example.stubborn: run 1 is expiring"))
  }
}
