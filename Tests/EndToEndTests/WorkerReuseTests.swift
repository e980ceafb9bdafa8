import Foundation
import Testing

/// One worker for several runs, and what keeps them apart.
@Suite("Workers that are used again")
struct WorkerReuseTests {
  private func place(suspendAfter: String = "5s") throws -> Workplace {
    try Workplace(
      """
        - {identifier: com.example.telling, kind: processing}
        - {identifier: com.example.crashing, kind: processing}
        - {identifier: com.example.unfinished, kind: processing}
        - {identifier: com.example.nice, kind: processing}
        - identifier: com.example.urgent
          handler: com.example.telling
          kind: processing
          qualityOfService: userInitiated

      """, top: "version: 1\nlifecycle: {suspendAfter: \(suspendAfter)}\n",
      program: "HandlerFixture")
  }

  /// Submits a request and waits for the end of its run.
  private func run(
    _ name: String, key: String = "", number: Int, in place: Workplace, by runner: RunningProgram
  ) throws -> String {
    _ = try place.bgrun("submit", "com.example.\(name)", "--key", key)
    try runner.waitFor("run \(number) \(name == "crashing" ? "crashed" : "succeeded")")
    return try place.bgrun("logs", String(number)).output
  }

  private func worker(in log: String) throws -> Int32 {
    try #require(log.split(separator: "\n").last?.split(separator: " ").last.flatMap { Int32($0) })
  }

  @Test func `a suspended worker is continued for its next run`() throws {
    let place = try place(suspendAfter: "50ms")
    let runner = try place.startRunner()
    let first = try worker(in: run("telling", number: 1, in: place, by: runner))
    try Workplace.wait(until: { Workplace.state(of: first) == "T" })
    let second = try worker(in: run("telling", number: 2, in: place, by: runner))
    #expect(first == second)
    runner.send(SIGTERM)
    _ = try runner.waitForEnd()
    #expect(Workplace.state(of: first) == nil)
  }

  @Test func `qualityOfService: every thread of a handler has the niceness of its job, root's too`()
    throws
  {
    let place = try place()
    let log = try run("nice", number: 1, in: place, by: place.startRunner())
    #expect(log == "begins at 5\ngoes on at 5\nhurries at 5\n")
  }

  @Test func `each run's output is its own, ended line or not`() throws {
    let place = try place()
    let runner = try place.startRunner()
    for number in 1...3 {
      let log = try run("unfinished", key: "k\(number)", number: number, in: place, by: runner)
      #expect(log == "a line without an end of k\(number)")
    }
  }

  @Test(.disabled(if: ThreadSanitizer.isOn, ThreadSanitizer.reason))
  func `LC8: a worker that crashed is replaced`() throws {
    let place = try place()
    let runner = try place.startRunner()
    let first = try worker(in: run("telling", number: 1, in: place, by: runner))
    _ = try run("crashing", number: 2, in: place, by: runner)
    let second = try worker(in: run("telling", number: 3, in: place, by: runner))
    #expect(first != second)
  }

  @Test func `work of another class has a worker of its own priority`() throws {
    let place = try place()
    let runner = try place.startRunner()
    let first = try worker(in: run("telling", number: 1, in: place, by: runner))
    let urgent = try worker(in: run("urgent", number: 2, in: place, by: runner))
    let third = try worker(in: run("telling", number: 3, in: place, by: runner))
    #expect(first != urgent)
    #expect(first == third)
  }

  @Test func `DU2: with the runner killed, its workers are gone`() throws {
    let place = try place()
    let runner = try place.startRunner()
    let first = try worker(in: run("telling", number: 1, in: place, by: runner))
    runner.send(SIGKILL)
    _ = try runner.waitForEnd()
    try Workplace.wait(until: { Workplace.state(of: first) == nil })
  }
}
