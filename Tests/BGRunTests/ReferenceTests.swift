import BGRun
import Glibc
import JobManifest
import JobModel
import LinuxSystem
import Testing

@Suite("bgrun explain")
struct ExplainCommandTests {
  private let bench: Bench

  init() throws {
    bench = try Bench()
  }

  @Test(arguments: FieldID.allCases.map(FieldTable.path))
  func `every key is explained with its value and an example`(name: String) {
    let outcome = bench.run("explain", name)
    #expect(outcome.code == .done)
    #expect(outcome.output.contains("\(name): a key of the manifest"))
    #expect(outcome.output.contains("Value: "))
  }

  @Test(arguments: RuleTable.all.map(\.name))
  func `every rule is explained with a good example`(name: String) {
    let outcome = bench.run("explain", name)
    #expect(outcome.output.hasPrefix("\(name): a rule of validate"))
    #expect(outcome.output.contains("\nRight:\n"))
  }

  @Test func `every reason has a meaning of its own`() {
    let texts = Reason.allCases.map { bench.run("explain", $0.rawValue).output }
    for (reason, text) in zip(Reason.allCases, texts) {
      #expect(text.contains("\(reason.rawValue): a gate or reason"))
    }
    let meanings = texts.map { $0.components(behind: ": a gate or reason") }
    #expect(Set(meanings).count == Reason.allCases.count)
  }

  @Test func `a name that means several things is explained as each`() {
    let text = bench.run("explain", "network").output
    #expect(text.contains("network: a key of the manifest"))
    #expect(text.contains("network: a gate or reason"))
  }

  @Test func `a misspelt name leads to the right one`() {
    let outcome = bench.run("explain", "unknown-kye")
    #expect(outcome.code == .notDone)
    #expect(outcome.errors.contains("did you mean 'unknown-key'?"))
  }

  @Test func `a rule of the lifecycle, as messages cite it, leads to where it is explained`() {
    let outcome = bench.run("explain", "LC6")
    #expect(outcome.code == .notDone)
    #expect(outcome.errors.contains("docs/lifecycle.md"))
    #expect(bench.run("explain", "LCD").errors.contains("All names: bgrun explain"))
  }
}

extension String {
  /// What stands behind the last occurrence of a mark.
  fileprivate func components(behind mark: String) -> String {
    ranges(of: mark).last.map { String(self[$0.upperBound...]) } ?? self
  }
}

@Suite("bgrun init and bgrun schema")
struct InitCommandTests {
  private let bench: Bench

  init() throws {
    bench = try Bench()
  }

  @Test func `the first manifest is valid, and the schema that it names stands beside it`() throws {
    #expect(bench.run("init").code == .done)
    let checked = bench.run("validate", "--strict")
    #expect(checked.code == .done, "\(checked.output)")
    let first = try Files.text("\(bench.folder)/jobs/jobs.yaml").prefix { $0 != "\n" }
    #expect(first == "# yaml-language-server: $schema=bgrun-manifest.schema.json")
    #expect(
      try Files.text("\(bench.folder)/jobs/bgrun-manifest.schema.json")
        == bench.run("schema").output)
  }

  @Test func `a manifest that is there is never overwritten`() throws {
    try bench.write("version: 1\njobs: []\n", to: "jobs/jobs.yaml")
    let outcome = bench.run("init")
    #expect(outcome.code == .notDone)
    #expect(
      outcome.errors.hasPrefix("bgrun: 'jobs/jobs.yaml' is there already and isn't overwritten\n"))
    #expect(try Files.text("\(bench.folder)/jobs/jobs.yaml") == "version: 1\njobs: []\n")
  }

  @Test func `a name that no manifest has is refused`() {
    #expect(bench.run("init", "jobs/first").code == .notDone)
  }
}

/// The page stands in `docs/bgrun.1`; `BGRUN_RECORD=1 swift test` writes it anew, and fails.
@Suite("The manual page is what the table says")
struct ManPageTests {
  @Test func `the committed page is current`() throws {
    let path =
      String(#filePath.dropLast("Tests/BGRunTests/ReferenceTests.swift".count))
      + "docs/bgrun.1"
    let text = ManPage(commands: CommandTable.commands).text
    if getenv("BGRUN_RECORD") != nil {
      try Files.write(Array(text.utf8), to: path, permissions: 0o644)
      Issue.record("recorded docs/bgrun.1")
    }
    #expect(text == (try Files.text(path)))
  }

  @Test func `every line is a request or a text that roff leaves alone`() {
    for line in ManPage(commands: CommandTable.commands).text.split(separator: "\n") {
      let isRequest = line.hasPrefix(".") && line.dropFirst().first?.isLetter == true
      #expect(isRequest || line.hasPrefix(".\\\"") || !line.hasPrefix("."), "\(line)")
    }
  }
}
