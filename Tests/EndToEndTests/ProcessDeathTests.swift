import Glibc
import Testing

/// Processes that die, obey or don't: the cases that only the built program can show.
@Suite("Processes that end, and those that won't")
struct ProcessDeathTests {
  @Test func `DU1: a runner killed with SIGKILL loses nothing and repeats nothing`() throws {
    let place = try Workplace(
      """
        - identifier: com.example.long
          shell: "echo started >> log; exec sleep 61.25"
          schedule: {every: 7d}
          retry: {maxAttempts: 2, initialDelay: 1s, jitter: false}
        - identifier: com.example.short
          shell: "echo short >> log"
          schedule: {every: 7d}
      """)
    let first = try place.startRunner("--log-format", "json")
    try first.waitFor("\"identifier\":\"com.example.long\"")
    try first.waitFor("\"outcome\":\"succeeded\"")
    first.send(SIGKILL)
    #expect(try first.waitForEnd().signal == SIGKILL)

    let second = try place.startRunner("--log-format", "json")
    try second.waitFor("ownerLost")
    try second.waitFor("\"event\":\"run-started\"")
    let lost = try #require(try place.history("com.example.long").first)
    #expect(lost["outcome"] as? String == "interrupted")
    #expect(lost["reason"] as? String == "ownerLost")
    #expect(lost["attempt"] as? Int == 1)
    #expect(Workplace.processes(running: "sleep 61.25").count == 1, "only the second run's")
    second.send(SIGTERM)
    #expect(try second.waitForEnd().status == 0)
    #expect(Workplace.processes(running: "sleep 61.25").isEmpty)

    let rows = try place.history("com.example.long")
    #expect(rows.map { $0["outcome"] as? String } == ["interrupted", "interrupted"])
    #expect(rows.first?["attempt"] as? Int == 1, "an owner's death uses no attempt (LC9)")
    #expect(try place.history("com.example.short").count == 1, "what ended isn't run again")
  }

  @Test func `LC5: a command that obeys the warning has expired by itself`() throws {
    let place = try Workplace(
      """
        - identifier: com.example.obeys
          shell: "exec sleep 62.5"
          timeLimit: 1s
          expirationGrace: 1s
          schedule: {every: 7d}
      """)
    #expect(try place.bgrun("run", "bgrun.yaml", "--once").status == 1)
    let row = try #require(try place.history().first)
    #expect(row["outcome"] as? String == "expired")
    #expect(row["reason"] as? String == "timeLimit")
    #expect(place.read("state/jobs/com.example.obeys/reason")?.hasPrefix("timeLimit") == true)
  }

  @Test func `LC5: a command that ignores SIGTERM is terminated after its grace`() throws {
    let place = try Workplace(
      """
        - identifier: com.example.ignores
          shell: "trap '' TERM; while :; do sleep 0.05; done"
          timeLimit: 1s
          expirationGrace: 500ms
          schedule: {every: 7d}
      """)
    #expect(try place.bgrun("run", "bgrun.yaml", "--once").status == 1)
    let row = try #require(try place.history().first)
    #expect(row["outcome"] as? String == "terminated")
    #expect(row["reason"] as? String == "timeLimit")
  }

  @Test func `LC5: what a command double-forks is killed with it`() throws {
    let place = try Workplace(
      """
        - identifier: com.example.forks
          shell: "(setsid sleep 603.75 & ) ; (env -i setsid sh -c 'exec sleep 603.75' &) ; exit 0"
          schedule: {every: 7d}
      """)
    #expect(try place.bgrun("run", "bgrun.yaml", "--once").status == 0)
    #expect(Workplace.processes(running: "sleep 603.75").isEmpty)
  }

  @Test func `PL14: SIGTERM stops in bounded time and the attempt isn't used`() throws {
    let place = try Workplace(
      """
        - identifier: com.example.stopped
          shell: "exec sleep 63.25"
          expirationGrace: 1s
          schedule: {every: 7d}
          retry: {maxAttempts: 2, initialDelay: 1s, jitter: false}
      """)
    let first = try place.startRunner("--log-format", "json")
    try first.waitFor("run-started")
    first.send(SIGTERM)
    #expect(try first.waitForEnd(seconds: 3).status == 0)
    let row = try #require(try place.history().first)
    #expect(row["outcome"] as? String == "interrupted")
    #expect(row["reason"] as? String == "shutdown")

    let second = try place.startRunner("--log-format", "json")
    try second.waitFor("run-started")
    second.send(SIGINT)
    #expect(try second.waitForEnd(seconds: 3).status == 130)
    #expect(try place.history().map { $0["attempt"] as? Int } == [1, 1])
  }

  @Test(arguments: [false, true])
  func `ST5: exit statuses and signals are right, as PID 1 and not`(asInit: Bool) throws {
    let place = try Workplace(
      """
        - identifier: com.example.seven
          shell: "exit 7"
          schedule: {every: 7d}
        - identifier: com.example.segfault
          shell: "kill -SEGV $$"
          schedule: {every: 7d}
      """)
    let prefix =
      asInit ? ["/usr/bin/unshare", "--pid", "--fork", "--mount-proc", "--kill-child"] : []
    if asInit && geteuid() != 0 { return }
    let finished = try place.start(["run", "bgrun.yaml", "--once"], behind: prefix).waitForEnd()
    #expect(finished.status == 1, "\(finished.errors)")
    let seven = try #require(try place.history("com.example.seven").first)
    #expect(seven["outcome"] as? String == "failed")
    #expect(seven["reason"] as? String == "handlerExited")
    #expect(seven["exitStatus"] as? Int == 7)
    let segfault = try #require(try place.history("com.example.segfault").first)
    #expect(segfault["outcome"] as? String == "crashed")
    #expect(segfault["reason"] as? String == "handlerSignalled")
    #expect(segfault["signal"] as? Int == Int(SIGSEGV))
  }
}
