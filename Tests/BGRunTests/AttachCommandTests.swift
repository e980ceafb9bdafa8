import BGRun
import JobModel
import SQLiteStore
import Testing

@Suite("Following a run")
struct AttachCommandTests {
  private let bench: Bench
  private let runner: RunnerStandIn

  init() throws {
    bench = try Bench()
    runner = try RunnerStandIn(bench.openStore())
    try runner.submit("com.example.export")
  }

  @Test func `shows progress line by line and ends with the run`() throws {
    let run = try runner.claim("com.example.export")
    let outcome = try bench.follow(["attach", "1"]) { _ in
      [
        .init(seen: "Run 1 of com.example.export has started.") {
          try runner.progress(run, 0.25, subtitle: "1 of 4")
        },
        .init(seen: "1 of 4") { try runner.end(run, .succeeded, exitStatus: 0) },
      ]
    }
    #expect(outcome.code == .done)
    #expect(
      outcome.output == """
        Run 1 of com.example.export has started.
        com.example.export
        com.example.export  [#####               ] 25 %  1 of 4
        Run 1 of com.example.export succeeded after 5.0 s

        """)
  }

  @Test func `a terminal that can't take a line back gets one after the other`() throws {
    bench.environment["TERM"] = "dumb"
    let run = try runner.claim("com.example.export")
    let outcome = try bench.follow(["attach", "1"], isTerminal: true) { _ in
      [
        .init(seen: "has started.") { try runner.progress(run, 0.25) },
        .init(seen: "25 %") { try runner.end(run, .succeeded) },
      ]
    }
    #expect(
      outcome.output == """
        Run 1 of com.example.export has started.
        com.example.export
        com.example.export  [#####               ] 25 %
        Run 1 of com.example.export succeeded after 5.0 s

        """)
  }

  @Test func `a run that fails is a finding`() throws {
    let run = try runner.claim("com.example.export")
    let outcome = try bench.follow(["attach", "1"]) { _ in
      [.init(seen: "has started.") { try runner.end(run, .failed, .handlerExited, exitStatus: 7) }]
    }
    #expect(outcome.code == .findings)
    #expect(
      outcome.output.hasSuffix(
        "Run 1 of com.example.export failed after 5.0 s: handlerExited, exit status 7\n"))
  }

  @Test func `a run that has ended already is told at once`() throws {
    try runner.end(runner.claim("com.example.export"), .succeeded)
    let outcome = bench.run("attach", "1")
    #expect(outcome.code == .done)
    #expect(outcome.output == "Run 1 of com.example.export succeeded after 5.0 s\n")
  }

  @Test func `an unknown run is refused`() throws {
    let outcome = bench.run("attach", "9")
    #expect(outcome.code == .notDone)
    #expect(outcome.errors.contains("there is no run 9 in ~/.local/state/bgrun/default"))
  }

  @Test func `CP5: Ctrl-C and yes asks the run to stop, and follows it to its end`() throws {
    let run = try runner.claim("com.example.export")
    let outcome = try bench.follow(["attach", "1"], isTerminal: true) { person in
      [
        .init(seen: "has started.") { person.pressesInterrupt() },
        .init(seen: "Stop the task? [y/N] ") { try person.types("y") },
        .init(seen: "asked to stop") { try runner.end(run, .cancelled, .userCancelled) },
      ]
    }
    #expect(outcome.code == .interrupted)
  }

  @Test func `CP5: Ctrl-C and no goes on`() throws {
    let run = try runner.claim("com.example.export")
    let outcome = try bench.follow(["attach", "1"], isTerminal: true) { person in
      [
        .init(seen: "has started.") { person.pressesInterrupt() },
        .init(seen: "Stop the task? [y/N] ") {
          try runner.end(run, .succeeded)
          try person.types("")
        },
      ]
    }
    #expect(outcome.code == .done)
    #expect(outcome.output.hasSuffix("\u{1B}[32msucceeded\u{1B}[0m after 5.0 s\n"))
  }

  @Test func `a second Ctrl-C leaves the run alone`() throws {
    try runner.claim("com.example.export")
    let outcome = try bench.follow(["attach", "1"], isTerminal: true) { person in
      [
        .init(seen: "has started.") { person.pressesInterrupt() },
        .init(seen: "Stop the task? [y/N] ") { person.pressesInterrupt() },
      ]
    }
    #expect(outcome.code == .interrupted)
    #expect(outcome.errors.hasSuffix("The task goes on; 'bgrun attach 1' follows it again.\n"))
    #expect(try runner.store.snapshots(of: nil, headLimit: 1).flatMap(\.live).count == 1)
  }

  @Test func `DU2: a run whose runner is gone isn't waited for in a script`() throws {
    try runner.claim("com.example.export")
    try runner.leave()
    let outcome = bench.run("attach", "1")
    #expect(outcome.code == .notDone)
    #expect(
      outcome.errors.hasSuffix(
        """
        bgrun: the runner of run 1 of 'com.example.export' is gone
        The next one records the run as interrupted when it starts: bgrun run

        """))
  }

  @Test func `in a script Ctrl-C leaves at once`() throws {
    try runner.claim("com.example.export")
    let outcome = try bench.follow(["attach", "1"]) { person in
      [.init(seen: "has started.") { person.pressesInterrupt() }]
    }
    #expect(outcome.code == .interrupted)
  }
}
