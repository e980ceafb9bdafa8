import BGRun
import JobModel
import LinuxSystem
import Testing

@Suite("bgrun validate")
struct ValidateCommandTests {
  private let bench: Bench

  init() throws {
    bench = try Bench()
  }

  private static let good = """
    version: 1
    jobs:
      - identifier: com.example.mail
        command: ["true"]

    """

  @Test func `a clean manifest is done, and only the summary is said`() throws {
    try bench.write(Self.good, to: "jobs/mail.yaml")
    #expect(
      bench.run("validate")
        == Bench.Outcome(code: .done, output: "", errors: "1 file, 1 job, no mistakes\n"))
  }

  @Test func `an error is a finding, shown with its place and its fix`() throws {
    try bench.write(Self.good + "    netwrk: any\n", to: "jobs/mail.yaml")
    let outcome = bench.run("validate", "jobs")
    #expect(outcome.code == .findings)
    #expect(outcome.output.hasPrefix("jobs/mail.yaml:5:5: error: "))
    #expect(outcome.output.contains("did you mean 'network'?"))
    #expect(outcome.errors.hasPrefix("1 file, 1 job, "))
  }

  @Test func `a warning is a finding only with --strict`() throws {
    try bench.write("version: 1\njobs: []\n", to: "jobs/mail.yaml")
    #expect(bench.run("validate").code == .done)
    #expect(bench.run("validate", "--strict").code == .findings)
  }

  @Test func `JSON stands alone on standard output and is valid when empty`() throws {
    try bench.write(Self.good, to: "jobs/mail.yaml")
    #expect(bench.run("validate", "--format", "json").output == "[]\n")
    try bench.write("version: 2\njobs: []\n", to: "a.yaml")
    try bench.write("version: 3\njobs: []\n", to: "b.yaml")
    let outcome = bench.run("validate", "--format=json", "a.yaml", "b.yaml")
    guard case .array(let elements)? = JSONValue(parsing: outcome.output) else {
      Issue.record("not an array: \(outcome.output)")
      return
    }
    #expect(elements.count == 4)
  }

  @Test func `each PATH is a set of its own`() throws {
    try bench.write(Self.good, to: "a.yaml")
    try bench.write(Self.good, to: "b.yaml")
    #expect(
      bench.run("validate", "a.yaml", "b.yaml")
        == Bench.Outcome(
          code: .done, output: "",
          errors: """
            a.yaml: 1 file, 1 job, no mistakes
            b.yaml: 1 file, 1 job, no mistakes

            """))
  }

  @Test func `a folder is one set`() throws {
    try bench.write(Self.good, to: "jobs/a.yaml")
    try bench.write(Self.good, to: "jobs/more/b.yml")
    let outcome = bench.run("validate", "jobs")
    #expect(outcome.code == .findings)
    #expect(outcome.output.contains("[duplicate-identifier]"))
  }

  @Test func `standard input has the name that it is given`() throws {
    let outcome = try bench.validateInput("version: 2\njobs: []\n", "--stdin-filename", "x.yaml")
    #expect(outcome.code == .findings)
    #expect(outcome.output.hasPrefix("x.yaml:1:10: error: "))
    #expect(try bench.validateInput(Self.good).code == .done)
  }

  @Test func `nothing is ever an exit 0 for something unchecked`() throws {
    try bench.write("", to: "empty/readme.txt")
    #expect(
      try bench.validateInput("").errors
        == "bgrun: the standard input is empty: there is nothing to check\n")
    #expect(
      bench.run("validate", "nowhere.yaml").errors
        == "bgrun: there is no file or folder 'nowhere.yaml'\n")
    #expect(
      bench.run("validate", "empty").errors == """
        bgrun: the folder 'empty' holds no manifest
        Manifests are files whose names end in .yaml or .yml.

        """)
    for arguments in [["nowhere.yaml"], ["empty"], []] {
      #expect(bench.run(["validate"] + arguments).code == .notDone)
    }
  }

  @Test func `colours only on a terminal, or when asked for`() throws {
    try bench.write("version: 2\njobs: []\n", to: "jobs/mail.yaml")
    #expect(!bench.run("validate").output.contains("\u{1B}"))
    #expect(bench.run("validate", isTerminal: true).output.contains("\u{1B}"))
    #expect(bench.run("validate", "--color", "always").output.contains("\u{1B}"))
  }
}

extension Bench {
  /// Runs `validate -` with a standard input.
  func validateInput(_ text: String, _ arguments: String...) throws -> Outcome {
    let pipe = try Pipe()
    try Descriptors.write(all: text.utf8, to: pipe.writeEnd)
    pipe.closeWriteEnd()
    let output = Captured()
    let errors = Captured()
    var context = context(
      ["validate", "-"] + arguments, output: output.sink(), errors: errors.sink())
    context.input = TextSource(descriptor: pipe.readEnd, isTerminal: false)
    let code = Program().run(context)
    return Outcome(code: code, output: output.text, errors: errors.text)
  }
}
