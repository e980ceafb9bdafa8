import BGRun
import Glibc
import JobModel
import LinuxSystem
import Testing

@Suite("bgrun logs")
struct LogsCommandTests {
  private let bench: Bench
  private let runner: RunnerStandIn
  private let run: RunNumber

  init() throws {
    bench = try Bench()
    runner = try RunnerStandIn(bench.openStore())
    try runner.submit("com.example.mail")
    run = try runner.claim("com.example.mail")
  }

  private var log: String { "\(bench.state)/output/com.example.mail/1.log" }

  private func write(_ text: String) throws {
    try Files.makeFolders(Files.parent(of: log))
    let descriptor = open(log, O_WRONLY | O_APPEND | O_CREAT, 0o600)
    defer { close(descriptor) }
    try Descriptors.write(all: text.utf8, to: descriptor)
  }

  @Test(arguments: ["com.example.mail", "1"])
  func `prints what the newest run, or the run of a number, has written`(target: String) throws {
    try write("one\ntwo")
    #expect(
      bench.run("logs", target)
        == Bench.Outcome(
          code: .done, output: "one\ntwo",
          errors: """
            Store: ~/.local/state/bgrun/default
            Run 1 of com.example.mail, running

            """))
  }

  @Test func `hands bytes on that aren't text`() throws {
    try Files.makeFolders(Files.parent(of: log))
    try Files.write([0xFF, 0x00, 0x41], to: log)
    var bytes: [UInt8] = []
    let output = TextSink(isTerminal: false) { delivered in
      bytes += delivered
      return nil
    }
    let context = bench.context(["logs", "1"], output: output, errors: Captured().sink())
    #expect(Program().run(context) == .done)
    #expect(bytes == [0xFF, 0x00, 0x41])
  }

  @Test func `follows a run to its end`() throws {
    try write("one\n")
    let outcome = try bench.follow(["logs", "1", "--follow"]) { _ in
      [
        .init(seen: "one") { try write("two\n") },
        .init(seen: "two") {
          try write("three\n")
          try runner.end(run, .succeeded)
        },
      ]
    }
    #expect(outcome.code == .done)
    #expect(outcome.output == "one\ntwo\nthree\n")
  }

  @Test func `Ctrl-C ends the following`() throws {
    try write("one\n")
    let outcome = try bench.follow(["logs", "com.example.mail", "--follow"]) { person in
      [.init(seen: "one") { person.pressesInterrupt() }]
    }
    #expect(outcome.code == .interrupted)
  }

  @Test func `a run that has written nothing yet shows nothing`() {
    #expect(
      bench.run("logs", "1")
        == Bench.Outcome(
          code: .done, output: "",
          errors: """
            Store: ~/.local/state/bgrun/default
            Run 1 of com.example.mail, running

            """))
  }

  @Test(arguments: ["", "output", "output/com.example.mail"])
  func `following waits for the first word of a run, wherever its folders end`(
    existing: String
  ) throws {
    try Files.makeFolders("\(bench.state)/\(existing)")
    let outcome = try bench.follow(["logs", "1", "--follow"]) { _ in
      [.init(seen: "one") { try runner.end(run, .succeeded) }]
    } meanwhile: {
      try write("one\n")
    }
    #expect(outcome.code == .done)
    #expect(outcome.output == "one\n")
  }

  @Test func `following a run that ends without a word ends with it`() throws {
    let outcome = try bench.follow(["logs", "1", "--follow"]) { _ in
      []
    } meanwhile: {
      try runner.end(run, .succeeded)
    }
    #expect(outcome == Bench.Outcome(code: .done, output: "", errors: outcome.errors))
  }

  @Test func `output that isn't there is said`() throws {
    try runner.end(run, .succeeded)
    let outcome = bench.run("logs", "1")
    #expect(outcome.code == .notDone)
    #expect(
      outcome.errors == """
        Store: ~/.local/state/bgrun/default
        Run 1 of com.example.mail, ended
        bgrun: there is no output of run 1: it wrote none, or it isn't kept any more \
        (~/.local/state/bgrun/default/output/com.example.mail/1.log)
        'output: {keep: N}' in the manifest says of how many runs it is.

        """)
  }

  @Test func `a job that never ran is said`() throws {
    try runner.submit("com.example.other")
    #expect(
      bench.run("logs", "com.example.other").errors.hasSuffix(
        "bgrun: 'com.example.other' has not run yet\n"))
  }
}
