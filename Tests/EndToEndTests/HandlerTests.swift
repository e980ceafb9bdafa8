import Glibc
import Testing

/// Swift handlers in real workers: the program `HandlerFixture`, seen through its history.
@Suite("Handlers in workers")
struct HandlerTests {
  private static let jobs = """
      - {identifier: com.example.succeeding, kind: processing}
      - {identifier: com.example.throwing, kind: processing}
      - {identifier: com.example.submitting, kind: processing}
      - {identifier: com.example.crashing, kind: processing}
      - {identifier: com.example.exiting, kind: processing}
      - {identifier: com.example.failing, kind: processing}
      - {identifier: com.example.leaving, kind: processing}
      - {identifier: com.example.garbling, kind: processing}
      - {identifier: com.example.closing, kind: processing}
      - {identifier: com.example.telling, kind: appRefresh, timeLimit: 20s}
      - {identifier: com.example.progressing, kind: processing}
      - {identifier: com.example.forgotten, kind: processing, enabled: false}
      - {identifier: com.example.late, kind: processing}
      - {identifier: com.example.needed, kind: continuedProcessing, title: Needed}
      - {identifier: com.example.export.*, kind: continuedProcessing, title: Export}
      - identifier: com.example.parameters
        kind: processing
        with: {colors: [red, blue], count: 2}
      - identifier: com.example.checkpoint
        kind: processing
        retry: {maxAttempts: 3, initialDelay: 10ms, backoff: constant, jitter: false}

    """

  private func place(_ jobs: String = jobs, top: String = "version: 1\napp: com.example\n") throws
    -> Workplace
  {
    try Workplace(jobs, top: top, program: "HandlerFixture")
  }

  /// Runs one job to its end and gives its row.
  private func run(_ name: String, in place: Workplace) throws -> [String: any Sendable] {
    _ = try place.bgrun("run", "bgrun.yaml", "--once", "--now", "com.example.\(name)")
    return try #require(try place.history("com.example.\(name)").first)
  }

  private func log(_ name: String, in place: Workplace) throws -> String {
    try place.bgrun("logs", "com.example.\(name)").output
  }

  @Test(
    .disabled(if: ThreadSanitizer.isOn, ThreadSanitizer.reason),
    arguments: [
      ("succeeding", "succeeded", nil, nil),
      ("throwing", "failed", "handlerThrew", "the feed is empty"),
      ("exiting", "failed", "neverCompleted", "the worker exited before the handler had completed"),
      ("failing", "failed", "handlerExited", "exit status 3"),
      ("crashing", "crashed", "handlerSignalled", "SIGILL"),
      ("closing", "failed", "protocolError", "the worker closed its connection to the runner"),
    ] as [(String, String, String?, String?)])
  func `LC8, LC10, ST5: each end has its outcome, reason and detail`(
    name: String, outcome: String, reason: String?, detail: String?
  ) throws {
    let row = try run(name, in: try place())
    #expect(row["outcome"] as? String == outcome)
    #expect(row["reason"] as? String == reason)
    #expect(row["detail"] as? String == detail)
  }

  @Test func `SB8, SB9: a handler submits, asks for and cancels requests through its runner`()
    throws
  {
    let place = try place()
    _ = try run("submitting", in: place)
    let lines = try log("submitting", in: place).split(separator: "\n").map(String.init)
    #expect(
      lines == [
        "pending []",
        "notPermitted: com.example.telling2 is not permitted: the manifest has no such job; "
          + "did you mean com.example.telling?",
        "pending [\"submitted\"]",
        "cancelled 1",
      ])
    _ = try place.bgrun("run", "bgrun.yaml", "--once")
    #expect(try place.history("com.example.succeeding").first?["outcome"] as? String == "succeeded")
  }

  @Test func `a worker that breaks the protocol fails its run`() throws {
    let row = try run("garbling", in: try place())
    #expect(row["reason"] as? String == "protocolError")
    #expect((row["detail"] as? String)?.contains("it sent garbage") == true)
  }

  @Test(.disabled(if: ThreadSanitizer.isOn, ThreadSanitizer.reason))
  func `a crash's backtrace is in the run's log`() throws {
    let place = try place()
    _ = try run("crashing", in: place)
    let log = try log("crashing", in: place)
    #expect(log.contains("about to crash"))
    // In an optimized program the trap has no sentence.
    #expect(log.contains("Index out of range") || StaticPrograms.areTested)
    #expect(log.contains("*** Program crashed"))
  }

  @Test func `a handler knows its run, and its output is in the log`() throws {
    let place = try place()
    let row = try run("telling", in: place)
    #expect(row["outcome"] as? String == "succeeded")
    let log = try log("telling", in: place)
    #expect(log.contains("identifier com.example.telling key  attempt 1\n"))
    #expect(log.contains("limit true\n"))
    #expect(log.contains("deadline after schedule true\n"))
  }

  @Test func `parameters are decoded to the declared type`() throws {
    let place = try place()
    _ = try run("parameters", in: place)
    #expect(try log("parameters", in: place) == "red+blue x2\n")
  }

  @Test func `progress is recorded with the run`() throws {
    let row = try run("progressing", in: try place())
    #expect(row["progress"] as? Double == 1)
  }

  @Test func `a checkpoint reaches the next attempt and goes with success`() throws {
    let place = try place()
    _ = try place.bgrun("submit", "com.example.checkpoint")
    let drained = try place.bgrun(
      "run", "bgrun.yaml", "--drain", "--job", "com.example.checkpoint")
    #expect(drained.status == 0)
    let rows = try place.history("com.example.checkpoint")
    #expect(rows.map { $0["outcome"] as? String } == ["succeeded", "failed", "failed"])
    #expect(try log("checkpoint", in: place) == "starts at 2\n")
    #expect(place.read("state/jobs/com.example.checkpoint/checkpoint") == nil)
  }

  @Test func `LC5: what a run leaves behind is killed, and it has succeeded all the same`() throws {
    let place = try place()
    let row = try run("leaving", in: place)
    #expect(row["outcome"] as? String == "succeeded")
    #expect(Workplace.processes(running: "sleep 4242").isEmpty)
  }

  @Test(.disabled(if: ThreadSanitizer.isOn, ThreadSanitizer.reason))
  func `RG3: a handler of a continued task may be registered late; RG2: no other may`() throws {
    let place = try place()
    let row = try run("late", in: place)
    #expect(row["outcome"] as? String == "crashed")
    let log = try log("late", in: place)
    #expect(log.contains("a continued one may come late"))
    #expect(
      log.contains(
        "All launch handlers must be registered before application finishes launching"))
  }

  @Test func `handlerMissing: a continued task without a handler fails when it is launched`() throws
  {
    let row = try run("needed", in: try place())
    #expect(row["outcome"] as? String == "failed")
    #expect(row["reason"] as? String == "handlerMissing")
  }

  @Test func `RG7: a pattern permits, and each identifier has its own handler`() throws {
    let place = try place()
    let row = try run("export.pages", in: place)
    #expect(row["outcome"] as? String == "succeeded")
    #expect(try log("export.pages", in: place) == "exports com.example.export.pages\n")
  }

  @Test func `a worker that is silent at its start ends the run as launchFailed`() throws {
    let place = try place()
    _ = try place.start(
      ["run", "bgrun.yaml", "--once", "--now", "com.example.succeeding"],
      environment: ["FIXTURE_FAULT": "silent"]
    ).waitForEnd(seconds: 60)
    let row = try #require(try place.history("com.example.succeeding").first)
    #expect(row["outcome"] as? String == "failed")
    #expect(row["reason"] as? String == "launchFailed")
    #expect(row["detail"] as? String == "the worker wasn't ready 5s after its start")
  }
}
