import Glibc
import Testing

/// Work that goes on when its run is over: the program `HandlerFixture` in real workers.
@Suite("Background tasks in workers")
struct BackgroundTaskTests {
  /// - Parameter lifecycle: the pool and the time to suspension.
  static func place(_ lifecycle: String) throws -> Workplace {
    let place = try Workplace(
      """
        - {identifier: com.example.lingering, kind: processing}
        - {identifier: com.example.leaking, kind: processing}
        - {identifier: com.example.saving, kind: processing}
        - {identifier: com.example.working, kind: processing}
        - {identifier: com.example.dozing, kind: processing}
        - {identifier: com.example.misusing, kind: processing}
        - {identifier: com.example.active, kind: processing}
        - {identifier: com.example.parenting, kind: processing}
        - {identifier: com.example.telling, kind: processing}
        - {identifier: com.example.declared, kind: appRefresh}
        - {identifier: com.example.declared-failing, kind: appRefresh}

      """, top: "version: 1\nlifecycle: {\(lifecycle)}\n", program: "HandlerFixture")
    try place.makeGate()
    return place
  }

  private func place(_ lifecycle: String) throws -> Workplace { try Self.place(lifecycle) }

  private func start(
    _ name: String, number: Int, in place: Workplace, by runner: RunningProgram
  ) throws -> Int32 {
    _ = try place.bgrun("submit", "com.example.\(name)")
    try runner.waitFor("run \(number) succeeded")
    return try worker(of: number, in: place)
  }

  private func log(_ run: Int, in place: Workplace) throws -> String {
    try place.bgrun("logs", String(run)).output
  }

  private func worker(of run: Int, in place: Workplace) throws -> Int32 {
    let line = try log(run, in: place).split(separator: "\n").first { $0.hasPrefix("worker ") }
    return try #require(line.flatMap { Int32($0.dropFirst("worker ".count)) })
  }

  @Test func `BG1, BG2, BG11: held it isn't suspended, after the last end it is, at once`() throws {
    let place = try place("backgroundTime: 1m, suspendAfter: 50ms")
    let runner = try place.startRunner()
    let held = try start("lingering", number: 1, in: place, by: runner)
    // This one became idle later, and is suspended.
    let idle = try start("telling", number: 2, in: place, by: runner)
    #expect(held != idle)
    try Workplace.wait(until: { Workplace.state(of: idle) == "T" })
    #expect(Workplace.state(of: held) != "T")
    try place.openGate()
    try Workplace.wait(until: { Workplace.state(of: held) == "T" })
    // What it printed is in the log of the run that began the work.
    #expect(try log(1, in: place).hasSuffix("uploaded with time true\n"))
    #expect(try !log(2, in: place).contains("uploaded"))
    // It is as good as any other for the next run.
    #expect(try start("telling", number: 3, in: place, by: runner) == held)
  }

  @Test func `BG11: after the last end it is suspended long before suspendAfter`() throws {
    let place = try place("backgroundTime: 1m, suspendAfter: 1h")
    let runner = try place.startRunner()
    let held = try start("lingering", number: 1, in: place, by: runner)
    try place.openGate()
    try Workplace.wait(until: { Workplace.state(of: held) == "T" })
  }

  @Test func `BG5: tasks that nobody ends are named with their call sites, and it is killed`()
    throws
  {
    let place = try place("backgroundTime: 500ms")
    let runner = try place.startRunner()
    let leaking = try start("leaking", number: 1, in: place, by: runner)
    try runner.waitFor("com.example.leaking: the program of run 1 is killed: 2 background tasks")
    try Workplace.wait(until: { Workplace.state(of: leaking) == nil })
    let log = try log(1, in: place)
    #expect(log.contains("2 background tasks were still begun when the background time of 500ms"))
    #expect(log.contains("too late\n"))
    let file = "HandlerFixture/BackgroundWork.swift"
    #expect(log.contains("'first' was begun at \(file):"))
    #expect(log.contains("its expiration handler returned without ending it"))
    #expect(log.contains("'leak()' was begun at \(file):"))
    // Its run stays as it was.
    let row = try #require(try place.history("com.example.leaking").first)
    #expect(row["outcome"] as? String == "succeeded")
  }

  @Test func `BG5: an expiration handler on the main thread that ends its task saves it`() throws {
    let place = try place("backgroundTime: 500ms, suspendAfter: 50ms")
    let runner = try place.startRunner()
    let saving = try start("saving", number: 1, in: place, by: runner)
    try Workplace.wait(until: { Workplace.state(of: saving) == "T" })
    #expect(try log(1, in: place).contains("saved on the main thread: true\n"))
  }

  @Test func `BG6: an end too many is in the log, and nothing else happens`() throws {
    let place = try place("backgroundTime: 30s")
    let finished = try place.bgrun("run", "bgrun.yaml", "--once", "--now", "com.example.misusing")
    #expect(finished.status == 0)
    let log = try log(1, in: place)
    #expect(log.contains("was already ended at HandlerFixture/BackgroundWork.swift:"))
    #expect(log.contains("begun at HandlerFixture/BackgroundWork.swift:"))
  }

  @Test func `BG10: an activity keeps its program, and is told when the time is over`() throws {
    let place = try place("backgroundTime: 2s")
    let runner = try place.startRunner()
    _ = try place.bgrun("submit", "com.example.active")
    try runner.waitFor("run 1 succeeded")
    // The first call goes on, so its task leaks: that is what its report says.
    try runner.waitFor("'sync'")
    // What it printed comes by another way than its report.
    try Workplace.wait(until: { (try? log(1, in: place))?.contains("expired true\n") == true })
    let written = try log(1, in: place)
    #expect(written.hasPrefix("expired false\nexpired true\n"), "\(written)")
  }

  @Test func `LC5: processes of work that goes on are left to it`() throws {
    let place = try place("backgroundTime: 1m, suspendAfter: 50ms")
    let runner = try place.startRunner()
    let parent = try start("parenting", number: 1, in: place, by: runner)
    try place.openGate()
    try Workplace.wait(until: { Workplace.state(of: parent) == "T" })
    #expect(try log(1, in: place).hasSuffix("from the child\n"))
  }

  @Test func `PL20: --once ends when the work that its run left is done`() throws {
    let place = try place("backgroundTime: 1m")
    let runner = try place.startRunner("--once", "--now", "com.example.lingering")
    try runner.waitFor("run 1 succeeded")
    try place.openGate()
    #expect(try runner.waitForEnd().status == 0)
    #expect(try log(1, in: place).contains("uploaded"))
  }

  @Test func `PL14: a stop waits for work in the background, and ends with it`() throws {
    let place = try place("backgroundTime: 1m")
    let runner = try place.startRunner()
    let held = try start("lingering", number: 1, in: place, by: runner)
    runner.send(SIGTERM)
    try runner.waitFor("a program finishes work in the background: that may take 1m2s")
    #expect(Workplace.state(of: held) != nil)
    try place.openGate()
    #expect(try runner.waitForEnd().status == 0)
    #expect(try log(1, in: place).contains("uploaded"))
    #expect(Workplace.state(of: held) == nil)
  }

  @Test func `PL14: a stop waits no longer than the background time`() throws {
    let place = try place("backgroundTime: 500ms, suspendAfter: never")
    let runner = try place.startRunner()
    _ = try place.bgrun("submit", "com.example.lingering")
    try runner.waitFor("run 1 succeeded")
    runner.send(SIGTERM)
    #expect(try runner.waitForEnd(seconds: 10).status == 0)
    #expect(try log(1, in: place).contains("'upload' was begun at"))
  }

  @Test func `PL14: a run that is stopped keeps the time of its tasks, and may end well`() throws {
    let place = try place("backgroundTime: 3s")
    _ = try place.bgrun("submit", "com.example.working")
    let runner = try place.startRunner()
    try runner.waitFor("run 1 started")
    try Workplace.wait(until: {
      (try? log(1, in: place))?.contains("working with time false") ?? false
    })
    runner.send(SIGTERM)
    #expect(try runner.waitForEnd().status == 0)
    // Longer than its own grace of a second.
    #expect(try log(1, in: place).hasSuffix("told that the time is over\nworked to the end\n"))
    let row = try #require(try place.history("com.example.working").first)
    #expect(row["outcome"] as? String == "succeeded")
    #expect(row["reason"] as? String == "shutdown")
  }

  @Test func `PL14: a second signal ends the work at once`() throws {
    let place = try place("backgroundTime: 10m")
    let runner = try place.startRunner()
    let held = try start("lingering", number: 1, in: place, by: runner)
    runner.send(SIGTERM)
    try runner.waitFor("in the background")
    runner.send(SIGTERM)
    #expect(try runner.waitForEnd().status == 0)
    #expect(Workplace.state(of: held) == nil)
  }

  @Test(
    arguments: [("declared", "succeeded", nil), ("declared-failing", "failed", "handlerThrew")]
      as [(String, String, String?)])
  func `LC11: a declared handler runs in a worker`(
    name: String, outcome: String, reason: String?
  ) throws {
    let place = try place("backgroundTime: 30s")
    _ = try place.bgrun("run", "bgrun.yaml", "--once", "--now", "com.example.\(name)")
    let row = try #require(try place.history("com.example.\(name)").first)
    #expect(row["outcome"] as? String == outcome)
    #expect(row["reason"] as? String == reason)
  }
}
