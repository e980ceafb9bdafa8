import Foundation
import Testing

/// Handlers written against Apple's classes, in real workers: the program `AppleFixture`.
@Suite("Apple's classes in workers")
struct AppleHandlerTests {
  private static let jobs = """
      - {identifier: com.example.feed.refresh, kind: appRefresh}
      - {identifier: com.example.feed.cleaning, kind: processing}
      - {identifier: com.example.feed.export.*, kind: continuedProcessing, title: Export}
      - {identifier: com.example.feed.failing, kind: processing}
      - {identifier: com.example.feed.releasing, kind: processing}
      - {identifier: com.example.feed.twice, kind: processing}
      - {identifier: com.example.feed.unwarned, kind: processing, timeLimit: 2s, expirationGrace: 2s}
      - {identifier: com.example.feed.holding, kind: processing, timeLimit: 2s, expirationGrace: 2s}
      - {identifier: com.example.feed.obeying, kind: processing, timeLimit: 1s}
      - {identifier: com.example.feed.submitting, kind: processing}
      - {identifier: com.example.feed.main, kind: appRefresh}
      - {identifier: com.example.feed.graphics, kind: processing}

    """

  private func place() throws -> Workplace {
    try Workplace(
      Self.jobs, top: "version: 1\napp: com.example.feed\n", program: "AppleFixture")
  }

  /// Runs one job to its end, as a person's wish, and gives its row.
  private func run(_ name: String, in place: Workplace) throws -> [String: any Sendable] {
    _ = try place.bgrun("run", "bgrun.yaml", "--once", "--now", "com.example.feed.\(name)")
    return try #require(try place.history("com.example.feed.\(name)").first)
  }

  private func log(_ name: String, in place: Workplace) throws -> String {
    try place.bgrun("logs", "com.example.feed.\(name)").output
  }

  @Test(
    arguments: [
      ("refresh", "succeeded", nil, nil),
      ("cleaning", "succeeded", nil, nil),
      ("failing", "failed", "handlerThrew", "setTaskCompleted(success: false)"),
      (
        "releasing", "failed", "neverCompleted",
        "the task was released without setTaskCompleted(success:)"
      ),
      ("twice", "succeeded", nil, nil),
      ("obeying", "expired", "timeLimit", nil),
      ("unwarned", "expired", "timeLimit", nil),
      ("holding", "expired", "timeLimit", nil),
      ("main", "succeeded", nil, nil),
    ] as [(String, String, String?, String?)])
  func `LC2, LC6, LC10: each end has its outcome, reason and detail`(
    name: String, outcome: String, reason: String?, detail: String?
  ) throws {
    let row = try run(name, in: try place())
    #expect(row["outcome"] as? String == outcome)
    #expect(row["reason"] as? String == reason)
    #expect(row["detail"] as? String == detail)
  }

  @Test(.disabled(if: StaticPrograms.areTested, "a static program has in it what it uses"))
  func `only a program that imports BackgroundTasks links the whole of Foundation`() throws {
    func linksFoundation(_ program: String) throws -> Bool {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: Workplace(program: program).program))
      return bytes.range(of: Data("libFoundation.so".utf8)) != nil
    }
    #expect(try linksFoundation("AppleFixture"))
    #expect(try !linksFoundation("HandlerFixture"))
    #expect(try !linksFoundation("bgrun"))
  }

  @Test func `SB4: a refresh leaves the request for the next one, not to start before its date`()
    throws
  {
    let place = try place()
    _ = try run("refresh", in: place)
    #expect(try log("refresh", in: place).contains("fetched\nstored\n"))
    let why = try place.bgrun("why", "com.example.feed.refresh").output
    #expect(why.contains("earliestBegin"))
  }

  @Test func `SB8: what an app submits at its launch is in the store of the run`()
    throws
  {
    let place = try place()
    let launch = ["FIXTURE_SUBMITS": "com.example.feed.cleaning", "BGRUN_MANIFEST": ""]
    let validated = try place.bgrun("validate", "bgrun.yaml", environment: launch)
    #expect(validated.status == 0)
    #expect(validated.output.contains("nothing is submitted by a command that only looks"))
    #expect(!FileManager.default.fileExists(atPath: place.state))

    _ = try place.bgrun("run", "bgrun.yaml", "--once", environment: launch)
    let rows = try place.history("com.example.feed.cleaning")
    #expect(rows.first { $0["outcome"] as? String == "succeeded" } != nil)
  }

  @Test func `RG1: the log says what isn't permitted, and what was meant`() throws {
    let place = try place()
    _ = try run("failing", in: place)
    let log = try log("failing", in: place)
    #expect(log.contains("did you mean com.example.feed.refresh?"))
    #expect(log.contains("refreshed isn't permitted"))
  }

  @Test func `LC6, LC10: what a handler does wrong is in its log`() throws {
    let place = try place()
    _ = try run("releasing", in: place)
    #expect(try log("releasing", in: place).contains("released without setTaskCompleted"))
    _ = try run("unwarned", in: place)
    #expect(try log("unwarned", in: place).contains("has no expirationHandler"))
  }

  @Test func `LC6: what a task without an expiration handler still does goes with its worker`()
    throws
  {
    let place = try place()
    _ = try place.bgrun("submit", "com.example.feed.unwarned")
    let runner = try place.startRunner()
    try runner.waitFor("run 1 expired")
    let output = try log("unwarned", in: place)
    let worker = try #require(
      output.split(separator: "\n").first { $0.hasPrefix("working in ") }
        .flatMap { pid_t($0.dropFirst("working in ".count)) })
    #expect(Workplace.state(of: worker) == nil)
    runner.send(SIGTERM)
    _ = try runner.waitForEnd()
  }

  @Test func `BG5: the main queue is the main thread's, with its run loop`() throws {
    let place = try place()
    _ = try run("main", in: place)
    #expect(try log("main", in: place).contains("main thread: true\nrun loop\n"))
  }

  @Test func `LC4: the expiration handler isn't called on the main thread`() throws {
    let place = try place()
    _ = try run("obeying", in: place)
    #expect(try log("obeying", in: place).contains("told on the main thread: false"))
  }

  @Test func `CP1: what a person started may submit a continued task, and nothing else may`()
    throws
  {
    let place = try place()
    _ = try run("submitting", in: place)
    let lines = try log("submitting", in: place)
    #expect(
      lines.contains(
        """
        export: submitted
        cleaning: submitted
        """))
    #expect(lines.contains("BGContinuedProcessingTaskRequest now\n"))
    #expect(lines.contains("BGProcessingTaskRequest now\n"))
    #expect(lines.contains("BGAppRefreshTaskRequest later\n"))
    #expect(lines.contains("left: 2\n"))

    let other = try self.place()
    _ = try other.bgrun("submit", "com.example.feed.submitting")
    _ = try other.bgrun("run", "bgrun.yaml", "--once", "--job", "com.example.feed.submitting")
    #expect(try log("submitting", in: other).contains("export: not permitted"))
  }

  @Test func `CP1: a program in the foreground of its terminal may submit a continued task`()
    throws
  {
    let wish = [
      "FIXTURE_SUBMITS": "com.example.feed.export.palettes",
      "BACKGROUND_TASK_SIMULATE_EXPIRATION": "1",
    ]
    let inTerminal = [
      "/usr/bin/python3", "-c", "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)",
    ]
    let place = try place()
    _ = try place.start(
      ["run", "bgrun.yaml", "--once"], environment: wish, behind: inTerminal
    ).waitForEnd(seconds: 60)
    let row = try #require(try place.history("com.example.feed.export.palettes").first)
    #expect(row["outcome"] as? String == "expired")

    let other = try self.place()
    let finished = try other.start(
      ["run", "bgrun.yaml", "--once"], environment: wish, behind: ["/usr/bin/setsid", "--wait"]
    ).waitForEnd(seconds: 60)
    #expect(finished.output.contains("notPermitted: com.example.feed.export.palettes is continued"))
    #expect(try other.history("com.example.feed.export.palettes").isEmpty)
  }

  @Test func `CP7: a continued task that requires a GPU is permitted where there is one`() throws {
    let place = try place()
    _ = try run("graphics", in: place)
    #expect(try log("graphics", in: place).hasSuffix("gpu: false\nexport: not permitted\n"))
    try place.write("device/dev/dri/renderD128", "")
    _ = try run("graphics", in: place)
    #expect(try log("graphics", in: place).hasSuffix("gpu: true\nexport: submitted\n"))
  }

  @Test func `SB12: the request's title wins; LC12: a simulated limit warns the handler`()
    throws
  {
    let place = try place()
    _ = try run("submitting", in: place)
    let simulated = ["BACKGROUND_TASK_SIMULATE_EXPIRATION": "1"]
    _ = try place.bgrun("run", "bgrun.yaml", "--once", environment: simulated)
    let row = try #require(try place.history("com.example.feed.export.palettes").first)
    #expect(row["outcome"] as? String == "expired")
    #expect(row["reason"] as? String == "timeLimit")
    #expect(row["detail"] as? String == "simulated")
    let output = try log("export.palettes", in: place)
    #expect(output.hasSuffix("Exporting palettes: exporting\nstopped: true\n"))
  }

  @Test func `CP2, CP3, CP5: an export shows its progress until a person cancels it`() throws {
    let place = try place()
    let runner = try place.startRunner("--once", "--now", "com.example.feed.export.palettes")
    try runner.waitFor("run 1 started")
    let log = "state/output/com.example.feed.export.palettes/1.log"
    try Workplace.wait(until: { place.read(log)?.contains("exporting") == true })
    #expect(try place.bgrun("cancel", "com.example.feed.export.palettes").status == 0)
    _ = try runner.waitForEnd()
    let row = try #require(try place.history("com.example.feed.export.palettes").first)
    #expect(row["outcome"] as? String == "cancelled")
    #expect(row["reason"] as? String == "userCancelled")
    #expect((row["progress"] as? Double).map { $0 >= 0.000_005 } == true)
    #expect(place.read(log)?.contains("stopped: true") == true)
  }
}
