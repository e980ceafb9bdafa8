import Glibc
import Testing

/// A server whose handlers are written against Apple's classes, and run in its own process.
@Suite("Apple's classes embedded in a server")
struct EmbeddedAppleTests {
  private func server(in place: Workplace) throws -> RunningProgram {
    try place.start(["apple"], program: "EmbeddedFixture")
  }

  private func place(_ more: String = "") throws -> Workplace {
    try Workplace(
      """
        - {identifier: com.example.apple.refresh, kind: appRefresh}
        - {identifier: com.example.apple.cleaning, kind: processing}
        - {identifier: com.example.apple.unwarned, kind: processing\(more)}

      """)
  }

  @Test func `EM1, RG5, LC1: a submitted task runs in the server, on the queue it was given`()
    throws
  {
    let place = try place()
    let server = try server(in: place)
    try server.waitFor("event ready")
    server.send(SIGUSR1)
    try server.waitFor("submitted")
    try server.waitFor("BGAppRefreshTask in the server: true, on its queue: true")
    try server.waitFor("completed twice")
    try server.waitFor("event run-ended: com.example.apple.refresh: run 1 succeeded")
    server.send(SIGTERM)
    let ended = try server.waitForEnd(seconds: 5)
    #expect(ended.status == 0)
    #expect(ended.errors.isEmpty, "what a run misuses is in its log")
    let log = try place.bgrun("logs", "com.example.apple.refresh").output
    #expect(
      log.contains("warning com.example.apple.refresh: setTaskCompleted(success:) was called"))
  }

  @Test func `EM1, LC4: a cancelled run() calls the expiration handler, and what ran is pending`()
    throws
  {
    let place = try place()
    let server = try server(in: place)
    try server.waitFor("event ready")
    _ = try place.bgrun("submit", "com.example.apple.cleaning")
    try server.waitFor("cleaning, on the main thread: false")
    server.send(SIGTERM)
    try server.waitFor("told to stop")
    #expect(try server.waitForEnd(seconds: 5).status == 0)
    let row = try #require(try place.history("com.example.apple.cleaning").first)
    #expect(row["outcome"] as? String == "interrupted")
    #expect(row["reason"] as? String == "shutdown")
  }

  @Test
  func `LC6, EM1, ST2: without an expiration handler it keeps its place until it is completed`()
    throws
  {
    let place = try place(", timeLimit: 1s, expirationGrace: 200ms, retry: {maxAttempts: 1}")
    let server = try server(in: place)
    try server.waitFor("event ready")
    _ = try place.bgrun("submit", "com.example.apple.unwarned")
    try server.waitFor("event run-overran: com.example.apple.unwarned: run 1")
    #expect(try place.bgrun("status").output.contains("expiring"))
    #expect(try place.history().isEmpty, "it has not ended")
    server.send(SIGUSR2)
    try server.waitFor("event run-ended: com.example.apple.unwarned: run 1 expired (timeLimit")
    server.send(SIGTERM)
    let ended = try server.waitForEnd(seconds: 5)
    #expect(ended.errors.isEmpty)
    #expect(try place.history().map { $0["outcome"] as? String } == ["expired"])
    let log = try place.bgrun("logs", "com.example.apple.unwarned").output
    #expect(log.contains("has no expirationHandler, so it can't be told to stop"))
    #expect(!log.contains("called again"), "it was completed once")
  }
}
