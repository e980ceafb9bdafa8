import Glibc
import Testing

/// What becomes of handlers in workers that are warned.
@Suite("Handlers that expire")
struct HandlerExpirationTests {
  private func place() throws -> Workplace {
    try Workplace(
      """
        - {identifier: com.example.cancellable, kind: processing, timeLimit: 1s}
        - {identifier: com.example.tidy, kind: processing, timeLimit: 1s}
        - {identifier: com.example.computing, kind: processing, timeLimit: 1s}
        - {identifier: com.example.keeping, kind: processing}
        - {identifier: com.example.stubborn, kind: processing, timeLimit: 1s}
        - {identifier: com.example.marking, kind: processing, timeLimit: 2s}
        - {identifier: com.example.breeding, kind: processing, timeLimit: 1s}
        - {identifier: com.example.waiting, handler: com.example.cancellable, kind: processing}

      """, program: "HandlerFixture")
  }

  private func run(_ name: String, in place: Workplace) throws -> [String: any Sendable] {
    _ = try place.bgrun("run", "bgrun.yaml", "--once", "--now", "com.example.\(name)")
    return try #require(try place.history("com.example.\(name)").first)
  }

  @Test func `LC4: at the limit the task is cancelled, with the reason readable, and is expired`()
    throws
  {
    let place = try place()
    let row = try run("cancellable", in: place)
    #expect(row["outcome"] as? String == "expired")
    #expect(row["reason"] as? String == "timeLimit")
    let log = try place.bgrun("logs", "com.example.cancellable").output
    #expect(log.contains("info cancelled for timeLimit\n"))
  }

  @Test func `ST4: returning after the warning is a success, with the reason kept`() throws {
    let place = try place()
    let row = try run("tidy", in: place)
    #expect(row["outcome"] as? String == "succeeded")
    #expect(row["reason"] as? String == "timeLimit")
    #expect(try place.bgrun("logs", "com.example.tidy").output == "waiting\ntidied up\n")
  }

  @Test func `LC4: one that computes without a pause, on the thread it began on, is cancelled too`()
    throws
  {
    let place = try place()
    let row = try run("computing", in: place)
    #expect(row["outcome"] as? String == "succeeded")
    #expect(row["reason"] as? String == "timeLimit")
    #expect(try place.bgrun("logs", "com.example.computing").output == "computing\nnoticed\n")
  }

  @Test func `LC4: a handler that keeps the thread that reads is warned by one that relieves it`()
    throws
  {
    let place = try place()
    let runner = try place.startRunner()
    var beginnings: Set<Substring> = []
    var warnings: Set<Substring> = []
    // Only threads that read give warnings: one on which a handler began has lent itself to it. A run
    // begins elsewhere while nobody waits to relieve the reader, as after a start.
    for number in 1...20 where beginnings.isDisjoint(with: warnings) {
      _ = try place.bgrun("submit", "com.example.keeping", "--key", "k\(number)")
      try Workplace.wait(until: { place.read("begun-k\(number)") != nil })
      _ = try place.bgrun("cancel", "com.example.keeping", "--key", "k\(number)")
      try runner.waitFor("run \(number) succeeded")
      let threads = try place.bgrun("logs", String(number)).output.dropLast().split(separator: " ")
      try #require(threads.count == 2)
      #expect(threads[0] != threads[1])
      beginnings.insert(threads[0])
      warnings.insert(threads[1])
    }
    #expect(!beginnings.isDisjoint(with: warnings))
  }

  @Test func `LC4: a worker gives the warning in time where its runner doesn't get to it`() throws {
    let place = try place()
    _ = try place.bgrun("submit", "com.example.marking")
    let runner = try place.startRunner("--once")
    try Workplace.wait(until: { place.read("begun") != nil })
    runner.send(SIGSTOP)
    defer { runner.send(SIGCONT) }
    try Workplace.wait(until: { place.read("warned") != nil })
    runner.send(SIGCONT)
    _ = try runner.waitForEnd()
    let row = try #require(try place.history("com.example.marking").first)
    #expect(row["outcome"] as? String == "expired")
    #expect(row["reason"] as? String == "timeLimit")
  }

  @Test func `LC5: one that ignores its cancellation is killed a second later`() throws {
    let row = try run("stubborn", in: try place())
    #expect(row["outcome"] as? String == "terminated")
    #expect(row["reason"] as? String == "timeLimit")
  }

  @Test func `LC5: the forced end reaches children in sessions of their own`() throws {
    let row = try run("breeding", in: try place())
    #expect(row["outcome"] as? String == "terminated")
    #expect(Workplace.processes(running: "sleep 4343").isEmpty)
  }

  @Test func `CP5: a person's cancel is cancelled(userCancelled)`() throws {
    let place = try place()
    _ = try place.bgrun("submit", "com.example.waiting")
    let runner = try place.startRunner("--once")
    try runner.waitFor("run 1 started")
    #expect(try place.bgrun("cancel", "com.example.waiting").status == 0)
    _ = try runner.waitForEnd()
    let row = try #require(try place.history("com.example.waiting").first)
    #expect(row["outcome"] as? String == "cancelled")
    #expect(row["reason"] as? String == "userCancelled")
  }

  @Test func `LC9: the runner's stop interrupts the handler and puts its request back`() throws {
    let place = try place()
    _ = try place.bgrun("submit", "com.example.waiting")
    let runner = try place.startRunner()
    try runner.waitFor("run 1 started")
    runner.send(SIGTERM)
    #expect(try runner.waitForEnd().status == 0)
    let row = try #require(try place.history("com.example.waiting").first)
    #expect(row["outcome"] as? String == "interrupted")
    #expect(row["reason"] as? String == "shutdown")
    #expect(try place.bgrun("status").output.contains("pending"))
  }
}
