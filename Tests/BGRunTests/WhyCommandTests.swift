import BGRun
import JobModel
import Testing

@Suite("bgrun why")
struct WhyCommandTests {
  private let bench: Bench
  private let runner: RunnerStandIn

  init() throws {
    bench = try Bench()
    try bench.writeManifest()
    runner = try bench.startRunner(isOnBattery: true)
  }

  @Test func `PL13: lists every gate of a pending request, met or not, and what would open it`()
    throws
  {
    try runner.submit("com.example.mail.vacuum")
    #expect(
      bench.run("why", "com.example.mail.vacuum").output == """
        com.example.mail.vacuum is pending

        The request of 2026-11-18 11:05:40 +00:00: 1 gate is shut
              GATE                   FOUND                                    SINCE      OPENS WITH
        open  notPermitted           in the manifest
        open  disabled               enabled
        shut  requiresExternalPower  on battery (/sys/class/power_supply/AC)  5 min ago  external power
        open  maxRunning             its key isn't running
        open  maxRunning             0 of 1 running
        open  concurrency            0 of 2 places taken
        open  runner                 process 4242 on box                      now

        """)
  }

  @Test func `PL13: what is claimed ahead of its start is still a request that waits`() throws {
    try runner.submit("com.example.mail.vacuum")
    let before = bench.run("why", "com.example.mail.vacuum").output
    try runner.claim("com.example.mail.vacuum", ahead: true)
    #expect(bench.run("why", "com.example.mail.vacuum").output == before)
    #expect(bench.run("status").output.contains(/vacuum +pending/))
    let cancelled = bench.run("cancel", "com.example.mail.vacuum").output
    #expect(cancelled.contains("Asked run 1 of com.example.mail.vacuum to stop"))
  }

  @Test func `without a request it tells what the next instant waits for`() {
    let outcome = bench.run("why", "com.example.mail.fetch")
    #expect(outcome.output.contains("The next scheduled instant: every gate is open\n"))
  }

  @Test func `a job without a request and a schedule waits for a person`() {
    #expect(
      bench.run("why", "com.example.mail.vacuum").output == """
        com.example.mail.vacuum is idle
        Nothing is pending and it has no schedule: 'bgrun submit' asks for a run.

        """)
  }

  @Test func `CP1: a continued task without a request waits for a person's start`() throws {
    try bench.write(
      """
      version: 1
      jobs:
        - identifier: com.example.export
          kind: continuedProcessing
          title: Export
          command: ["true"]
      """, to: "export.yaml")
    #expect(
      bench.run("why", "com.example.export", "--manifest", "export.yaml").output.contains(
        "'bgrun start' asks for a run.\n"))
  }

  @Test func `PL16: a job that follows others names those without a success`() throws {
    try bench.write(
      """
      version: 1
      jobs:
        - identifier: com.example.first
          command: ["true"]
        - identifier: com.example.then
          command: ["true"]
          afterSuccessOf: [com.example.first]

      """, to: "follow.yaml")
    let outcome = bench.run("why", "com.example.then", "--manifest", "follow.yaml")
    #expect(outcome.output.contains("The run that follows other jobs: 2 gates are shut"))
    #expect(
      outcome.output.contains(
        "shut  afterSuccessOf  no success since the last start: com.example.first"))
  }

  @Test func `prints the documented object as JSON`() throws {
    try runner.submit("com.example.mail.vacuum", key: "a")
    let outcome = bench.run("why", "com.example.mail.vacuum", "--json")
    guard case .object(let members)? = JSONValue(parsing: outcome.output) else {
      Issue.record("not an object")
      return
    }
    #expect(members.map(\.name) == ["identifier", "state", "gates", "requests"])
    #expect(
      outcome.output.contains(
        """
            {
              "gate": "requiresExternalPower",
              "met": false,
              "since": "2026-11-18T11:01:40.000Z",
              "value": "on battery (/sys/class/power_supply/AC)",
              "opens": {
                "text": "external power",
                "at": null
              }
            },
        """))
  }

  @Test func `PL13: each of several runners has gates of its own`() throws {
    let other = try bench.startRunner(processID: 4343)
    try runner.submit("com.example.mail.vacuum")
    #expect(
      bench.run("why", "com.example.mail.vacuum").output == """
        com.example.mail.vacuum is pending

        The request of 2026-11-18 11:05:40 +00:00, for process 4242 on box: 1 gate is shut
              GATE                   FOUND                                    SINCE      OPENS WITH
        open  notPermitted           in the manifest
        open  disabled               enabled
        shut  requiresExternalPower  on battery (/sys/class/power_supply/AC)  5 min ago  external power
        open  maxRunning             its key isn't running
        open  maxRunning             0 of 1 running
        open  concurrency            0 of 2 places taken
        open  runner                 process 4242 on box                      now

        The request of 2026-11-18 11:05:40 +00:00, for process 4343 on box: every gate is open
              GATE                   FOUND                                           SINCE
        open  notPermitted           in the manifest
        open  disabled               enabled
        open  requiresExternalPower  on external power (/sys/class/power_supply/AC)  5 min ago
        open  maxRunning             its key isn't running
        open  maxRunning             0 of 1 running
        open  concurrency            0 of 2 places taken
        open  runner                 process 4343 on box                             now

        """)
    try other.leave()
    #expect(!bench.run("why", "com.example.mail.vacuum").output.contains("for process"))
  }

  @Test func `as JSON, the gates are those of the runner that is nearest to a start, then each's`()
    throws
  {
    let other = try bench.startRunner(processID: 4343)
    try runner.submit("com.example.mail.vacuum")
    let outcome = bench.run("why", "com.example.mail.vacuum", "--json")
    guard case .object(let members)? = JSONValue(parsing: outcome.output) else {
      Issue.record("not an object")
      return
    }
    #expect(members.map(\.name) == ["identifier", "state", "gates", "requests", "runners"])
    func power(_ value: JSONValue) -> [Bool] {
      switch value {
      case .array(let items): items.flatMap(power)
      case .object(let members):
        members.first { $0.name == "gate" }?.value == .text("requiresExternalPower")
          ? members.compactMap {
            $0.value == .bool(true) ? true : $0.value == .bool(false) ? false : nil
          }
          : members.flatMap { power($0.value) }
      default: []
      }
    }
    #expect(
      members.map { power($0.value) } == [[], [], [true], [true], [false, false, true, true]])
    try other.leave()
    #expect(outcome.output.contains("\"process\": 4343,\n      \"host\": \"box\","))
  }

  @Test func `a runner that is gone is a gate`() throws {
    try runner.submit("com.example.mail.vacuum")
    try runner.leave()
    let outcome = bench.run("why", "com.example.mail.vacuum")
    #expect(outcome.output.contains("shut  runner"))
    #expect(outcome.output.contains("no runner is alive"))
    #expect(outcome.output.contains("start one: bgrun run"))
  }

  @Test func `SB10: a switched-off job says who did it`() throws {
    try runner.submit("com.example.mail.vacuum")
    #expect(bench.run("disable", "com.example.mail.vacuum").code == .done)
    #expect(
      bench.run("why", "com.example.mail.vacuum").output.contains(
        "shut  disabled               switched off by a person"))
  }

  @Test func `an unknown job is refused with the nearest one`() {
    let outcome = bench.run("why", "com.example.mail.vacum")
    #expect(outcome.code == .notDone)
    #expect(outcome.errors.hasSuffix("Did you mean 'com.example.mail.vacuum'?\n"))
  }
}
