import BGRun
import Glibc
import JobModel
import LinuxSystem
import Testing

@Suite("bgrun validate: reports and fixes")
struct ValidateOutputTests {
  private let bench: Bench
  private static let wrong = """
    version: 1
    jobs:
      - identifier: com.example.mail
        command: ["true"]
        timeLimit: 90   # a minute and a half

    """

  init() throws {
    bench = try Bench()
    try bench.write(Self.wrong, to: "jobs/mail.yaml")
  }

  private var file: String { "\(bench.folder)/jobs/mail.yaml" }

  @Test func `each format may go to a file of its own`() throws {
    let outcome = bench.run(
      "validate", "--format", "sarif", "--output", "a.sarif", "--format", "compact",
      "--format=gitlab", "--output=quality.json")
    #expect(outcome.code == .findings)
    #expect(
      outcome.output.hasPrefix("jobs/mail.yaml:5:16: error: 'timeLimit': a duration needs a unit"))
    for (name, key) in [("a.sarif", "runs"), ("quality.json", "check_name")] {
      let text = try Files.text("\(bench.folder)/\(name)")
      #expect(JSONValue(parsing: text) != nil)
      #expect(text.contains(key))
    }
  }

  @Test func `many files are told in the order of their names, as one set`() throws {
    for number in 100..<300 {
      try bench.write(Self.wrong, to: "many/\(number).yaml")
    }
    let outcome = bench.run("validate", "many", "--format", "compact")
    let places = outcome.output.split(separator: "\n").map { $0.prefix { $0 != " " } }
    let expected = (100..<300).flatMap { number in
      (number == 100 ? [] : ["many/\(number).yaml:3:17:"]) + ["many/\(number).yaml:5:16:"]
    }
    #expect(places.map(String.init) == expected)
  }

  @Test func `an output without its format, or two formats for one output, are refused`() {
    #expect(bench.run("validate", "--output", "x").code == .notDone)
    #expect(bench.run("validate", "--format", "json", "--format", "text").code == .notDone)
    let outcome = bench.run("validate", "--format", "json", "--output", "nowhere/x.json")
    #expect(outcome.code == .notDone)
    #expect(outcome.errors.hasPrefix("bgrun: can't write 'nowhere/x.json': "))
  }

  @Test func `auto is github in a workflow, otherwise text`() {
    #expect(bench.run("validate", "--format", "auto").output.hasPrefix("jobs/mail.yaml:5:16: "))
    bench.environment["GITHUB_ACTIONS"] = "true"
    #expect(
      bench.run("validate", "--format", "auto").output
        .hasPrefix("::error file=jobs/mail.yaml,line=5,endLine=5,col=16,endColumn=17,title="))
  }

  @Test func `--fix mends the file, and keeps its permissions and a link to it`() throws {
    #expect(chmod(file, 0o640) == 0)
    #expect(symlink(file, "\(bench.folder)/link.yaml") == 0)
    let outcome = bench.run("validate", "--fix", "link.yaml")
    #expect(outcome.code == .done)
    #expect(outcome.errors == "link.yaml: mended 1 mistake\n1 file, 1 job, no mistakes\n")
    #expect(try Files.text(file) == Self.wrong.replacing("90 ", with: "90s "))
    #expect(try Files.status(file)?.permissions == 0o640)
    var status = stat()
    #expect(lstat("\(bench.folder)/link.yaml", &status) == 0)
    #expect(status.st_mode & S_IFMT == S_IFLNK)
    #expect(try Files.list("\(bench.folder)/jobs") == ["mail.yaml"])
  }

  @Test func `--diff shows what --fix would write, and writes nothing`() throws {
    let outcome = bench.run("validate", "--diff")
    #expect(outcome.code == .findings)
    #expect(outcome.output.hasPrefix("--- a/jobs/mail.yaml\n+++ b/jobs/mail.yaml\n@@ "))
    #expect(outcome.output.contains("+    timeLimit: 90s   # a minute and a half\n"))
    #expect(try Files.text(file) == Self.wrong)
    #expect(bench.run("validate", "--diff", "--fix").code == .notDone)
  }

  @Test func `--watch checks at once, and again at each save`() throws {
    let output = Captured()
    var lines: [String] = []
    // The test answers each summary as a person would: with a save, then with Ctrl-C.
    var interrupt: (() -> Void)?
    let file = file
    let errors = TextSink(isTerminal: false, capacity: 0) { bytes in
      let line = String(decoding: bytes, as: UTF8.self)
      guard line != "\n" else { return nil }
      lines.append(line)
      if lines.count == 1 {
        try? FileReplacement.write(
          Array(Self.wrong.replacing("90 ", with: "90s ").utf8), to: file)
      } else {
        interrupt?()
      }
      return nil
    }
    var context = bench.context(["validate", "--watch"], output: output.sink(), errors: errors)
    context.watchInterrupts = { _, handler in
      interrupt = handler
      return output
    }
    #expect(Program().run(context) == .interrupted)
    #expect(lines == ["1 file, 1 job, 1 error", "1 file, 1 job, no mistakes"])
  }
}

@Suite("What root runs, only root may write")
struct WritableByOthersTests {
  private static let manifest = "version: 1\njobs:\n  - {identifier: com.example.a, shell: id}\n"

  @Test(arguments: [(0o666, 0o700), (0o660, 0o700), (0o644, 0o777)] as [(UInt32, UInt32)])
  func `run refuses a manifest that others may write`(file: UInt32, folder: UInt32) throws {
    let bench = try Bench()
    try bench.write(Self.manifest, to: "jobs/a.yaml")
    #expect(chmod("\(bench.folder)/jobs/a.yaml", file) == 0)
    #expect(chmod("\(bench.folder)/jobs", folder) == 0)
    bench.isSuperuser = true
    let outcome = bench.run("run", "--once")
    #expect(outcome.code == .findings)
    #expect(outcome.errors.contains("[writable-by-others]"))
    #expect(bench.run("validate").code == .done)
  }

  @Test func `a folder like /tmp doesn't count, and nobody else's run minds`() throws {
    let bench = try Bench()
    try bench.write(Self.manifest, to: "jobs/a.yaml")
    #expect(chmod("\(bench.folder)/jobs", 0o1777) == 0)
    #expect(chmod("\(bench.folder)/jobs/a.yaml", 0o644) == 0)
    bench.isSuperuser = true
    #expect(bench.run("run", "--once", "--job", "com.example.none").code == .notDone)
    bench.isSuperuser = false
    #expect(chmod("\(bench.folder)/jobs/a.yaml", 0o666) == 0)
    #expect(bench.run("run", "--once", "--job", "com.example.none").code == .notDone)
  }
}
