import BGRun
import JobModel
import LinuxSystem
import Testing

@Suite("The funnel: every error becomes text and an exit code in one place")
struct ProgramTests {
  private let bench: Bench

  init() throws {
    bench = try Bench()
  }

  private func run(
    _ arguments: [String], writing failure: TextSink.Failure? = nil,
    perform: @escaping @Sendable (Invocation) throws(CommandFailure) -> ExitCode
  ) -> Bench.Outcome {
    let errors = Captured()
    let output = Captured()
    let command = Command("work", summary: "works", exitCodes: [], perform: perform)
    let sink =
      failure.map { failure in TextSink(isTerminal: false) { _ in failure } } ?? output.sink()
    let code = Program(commands: [command]).run(
      bench.context(arguments, output: sink, errors: errors.sink()))
    return Bench.Outcome(code: code, output: output.text, errors: errors.text)
  }

  @Test(arguments: [
    (
      CommandFailure.usage(UsageError("no", suggestion: "yes", command: "work")), ExitCode.notDone,
      "bgrun: no; did you mean 'yes'?\nHelp: bgrun help work\n"
    ),
    (.usage(UsageError("no")), .notDone, "bgrun: no\nHelp: bgrun --help\n"),
    (.notDone("no"), .notDone, "bgrun: no\n"),
    (.notDone("no", advice: "Do this."), .notDone, "bgrun: no\nDo this.\n"),
    (
      .store(StoreFailure(cause: .diskFull, sentence: "the disk is full")), .notDone,
      "bgrun: the disk is full\n"
    ),
    (.findings, .findings, ""),
    (.fault("odd"), .internalFault, "bgrun: internal fault: odd\n"),
  ])
  func `gives each failure its text and its code`(
    failure: CommandFailure, code: ExitCode, text: String
  ) {
    let outcome = run(["work"]) { _ throws(CommandFailure) in throw failure }
    #expect(outcome == Bench.Outcome(code: code, output: "", errors: text))
  }

  @Test func `shows what a command wrote before it failed`() {
    let outcome = run(["work"]) { invocation throws(CommandFailure) in
      invocation.context.output.write("half")
      throw .notDone("no")
    }
    #expect(outcome == Bench.Outcome(code: .notDone, output: "half", errors: "bgrun: no\n"))
  }

  @Test func `ends quietly as SIGPIPE would when the reader has gone`() {
    let outcome = run(["work"], writing: .closed) { invocation throws(CommandFailure) in
      invocation.context.output.write("nobody reads this")
      return .done
    }
    #expect(outcome == Bench.Outcome(code: .outputClosed, output: "", errors: ""))
  }

  @Test func `says why the output couldn't be written, and isn't done`() {
    let outcome = run(["work"], writing: .system(28)) { invocation throws(CommandFailure) in
      invocation.context.output.write("this doesn't fit")
      return .done
    }
    #expect(
      outcome
        == Bench.Outcome(
          code: .notDone, output: "",
          errors: "bgrun: can't write the standard output: No space left on device\n"))
  }

  @Test func `hands the command's own code on`() {
    #expect(run(["work"]) { _ in .findings }.code == .findings)
    #expect(run(["work"]) { _ in .interrupted }.code == .interrupted)
  }

  @Test func `gives the version`() {
    #expect(bench.run("--version").output == "bgrun \(Program.version)\n")
  }

  @Test func `without a command it shows the overview, and isn't done`() {
    let outcome = bench.run()
    #expect(outcome.code == .notDone)
    #expect(outcome.output == "")
    #expect(
      outcome.errors
        == "bgrun: which command?\n\n" + HelpPage(commands: CommandTable.commands).overview)
  }

  @Test func `says what is wrong with a command line, and where help is`() {
    #expect(
      bench.run("histroy").errors == """
        bgrun: unknown command 'histroy'; did you mean 'history'?
        Help: bgrun --help

        """)
    #expect(
      bench.run("history", "--jsno").errors == """
        bgrun: 'history' has no option '--jsno'; did you mean '--json'?
        Help: bgrun help history

        """)
  }
}
