import BGRun
import JobModel
import LinuxSystem
import SQLiteStore
import Testing

@Suite("bgrun submit and start")
struct SubmitCommandTests {
  private let bench: Bench

  init() throws {
    bench = try Bench()
    try bench.writeManifest()
  }

  private func pending() throws -> [RequestRecord] {
    try bench.openStore(bench.mailState).pending(of: nil, limit: 100)
  }

  @Test func `SB8: a request is stored, in a store of mode 0700 that is made for it`() throws {
    #expect(
      bench.run("submit", "com.example.mail.vacuum")
        == Bench.Outcome(
          code: .done,
          output: """
            Submitted com.example.mail.vacuum.
            No runner is alive: nothing starts until 'bgrun run' does.

            """, errors: ""))
    #expect(try Files.status(bench.mailState)?.permissions == 0o700)
    let request = try #require(pending().first)
    #expect(request.identifier.text == "com.example.mail.vacuum")
    #expect(request.parameters == nil)
    #expect(!request.isUserInitiated)
  }

  @Test func `SB1: a second one takes the first one's place`() throws {
    let runner = try bench.startRunner()
    _ = bench.run("submit", "com.example.mail.vacuum", "--key", "a")
    #expect(
      bench.run("submit", "com.example.mail.vacuum", "--key", "a").output
        == "Submitted com.example.mail.vacuum with key 'a', in the place of one that hadn't started.\n"
    )
    #expect(try runner.store.pending(of: nil, limit: 10).count == 1)
  }

  @Test func `parameters go over those of the manifest`() throws {
    _ = bench.run(
      "submit", "com.example.mail.vacuum", "--with", "mode=quick", "--with", "pages=[1,2]")
    #expect(try pending().first?.parameters == #"{"depth":2,"mode":"quick","pages":[1,2]}"#)
  }

  @Test(arguments: [
    ("com.example.mail.vacum", "[notPermitted]"),
    ("com.example.mail.off", "[unavailable]"),
    ("com.example.mail.export.a", "[notPermitted]"),
  ])
  func `SB6: a refusal carries its cause and Apple's name for it`(
    identifier: String, name: String
  ) throws {
    let outcome = bench.run("submit", identifier)
    #expect(outcome.code == .notDone)
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("bgrun: \(identifier) "))
    #expect(outcome.errors.hasSuffix(" \(name)\n"))
    #expect(try pending().isEmpty)
  }

  @Test func `SB2: too many pending are shown in a table`() throws {
    try bench.write(
      Bench.manifest + "pendingLimits: {processing: 1}\n", to: "jobs/mail.yaml")
    _ = bench.run("submit", "com.example.mail.vacuum", "--key", "a")
    let outcome = bench.run("submit", "com.example.mail.vacuum", "--key", "b")
    #expect(outcome.code == .notDone)
    #expect(
      outcome.errors.hasSuffix(
        """
        [tooManyPendingTaskRequests]
        JOB                      KEY  SUBMITTED                   DUE
        com.example.mail.vacuum  a    2026-11-18 11:06:40 +00:00  now

        """))
  }

  @Test func `CP1, CP2: start submits as a user action and follows to the end`() throws {
    let runner = try bench.startRunner()
    let outcome = try bench.follow(["start", "com.example.mail.export.june"]) { _ in
      var run = RunNumber(0)
      return [
        .init(seen: "waits for the runner") {
          run = try runner.claim("com.example.mail.export.june")
        },
        .init(seen: "has started.") { try runner.progress(run, 0.5, subtitle: "June") },
        .init(seen: "50 %") { try runner.end(run, .succeeded, exitStatus: 0) },
      ]
    }
    #expect(outcome.code == .done)
    #expect(
      outcome.output == """
        com.example.mail.export.june waits for the runner
        Run 1 of com.example.mail.export.june has started.
        Exporting mail  Preparing
        Exporting mail  [##########          ] 50 %  June
        Run 1 of com.example.mail.export.june succeeded after 5.0 s

        """)
    let row = try #require(runner.store.history(of: nil, limit: 1).first)
    #expect(row.outcome == .succeeded)
  }

  @Test func `what starts while its gates are read isn't said to wait for itself`() throws {
    let runner = try bench.startRunner()
    let identifier = JobIdentifier("com.example.mail.export.june")
    var run: RunNumber?
    bench.clockRead = {
      guard run == nil, try !runner.store.pending(of: identifier, limit: 1).isEmpty else { return }
      run = try runner.claim(identifier.text)
    }
    let outcome = try bench.follow(["start", identifier.text]) { _ in
      [.init(seen: "has started.") { try runner.end(try #require(run), .succeeded) }]
    }
    #expect(
      outcome.output == """
        Run 1 of com.example.mail.export.june has started.
        Exporting mail  Preparing
        Run 1 of com.example.mail.export.june succeeded after 5.0 s

        """)
  }

  @Test func `start follows a retry to its end`() throws {
    let runner = try bench.startRunner()
    let outcome = try bench.follow(["start", "com.example.mail.vacuum"]) { _ in
      var run = RunNumber(0)
      return [
        .init(seen: "waits for the runner") { run = try runner.claim("com.example.mail.vacuum") },
        .init(seen: "Run 1 of com.example.mail.vacuum has started.") {
          try runner.end(
            run, .failed, .handlerExited, exitStatus: 1,
            next: .again(
              notBefore: Bench.start + .seconds(30), floor: .retryDelay, attempt: 2,
              returnsInRow: 0))
        },
        .init(seen: "waits for retryDelay") { run = try runner.claim("com.example.mail.vacuum") },
        .init(seen: "Run 2 of com.example.mail.vacuum has started.") {
          try runner.end(run, .failed, .handlerExited, exitStatus: 1)
        },
      ]
    }
    #expect(outcome.code == .findings)
    #expect(
      outcome.output.contains(
        "Run 1 of com.example.mail.vacuum failed after 5.0 s: handlerExited, exit status 1\n"))
    #expect(
      outcome.output.hasSuffix(
        "Run 2 of com.example.mail.vacuum failed after 5.0 s: handlerExited, exit status 1\n"))
  }

  @Test func `without a runner a script gets exit code 2, and the request is kept`() throws {
    let outcome = bench.run("start", "com.example.mail.vacuum")
    #expect(outcome.code == .notDone)
    #expect(
      outcome.errors == """
        bgrun: no runner is alive: the request of 'com.example.mail.vacuum' is kept and waits for one
        Start it with 'bgrun run', or take the request back with 'bgrun cancel com.example.mail.vacuum'.

        """)
    #expect(try pending().first?.isUserInitiated == true)
  }

  @Test func `without a runner a person may wait, and take the request back`() throws {
    let outcome = try bench.follow(["start", "com.example.mail.vacuum"], isTerminal: true) {
      person in
      [
        .init(seen: "No runner is alive") { person.pressesInterrupt() },
        .init(seen: "Stop the task? [y/N] ") { try person.types("y") },
      ]
    }
    #expect(outcome.code == .interrupted)
    #expect(try pending().isEmpty)
  }

  @Test func `a state folder that can't be written is said in one sentence`() throws {
    try bench.write("", to: "file")
    let outcome = bench.run("submit", "com.example.mail.vacuum", "--state", "file/state")
    #expect(outcome.code == .notDone)
    #expect(outcome.output == "")
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(outcome.errors.contains("~/file/state"))
  }
}
