import JobManifest
import Testing

/// What each format makes of one file stands in `Fixtures/formats`; `RECORD_FIXTURES=1 swift test`
/// writes it anew, and fails.
@Suite("Each format tells the same findings in its own way")
struct FormatTests {
  private static let setting = ReportSetting(
    isColoured: false, limit: .error, folder: "/srv", version: "0.0.0")

  private func set(_ text: String, path: String = "./my jobs/mail,a.yaml") -> LoadedSet {
    TestMachine.loader.check(sources: [TestMachine.source(text, path: path)])
  }

  @Test(arguments: DiagnosticFormat.allCases.map(\.rawValue))
  func `the findings of a file are as recorded`(name: String) throws {
    let format = try #require(DiagnosticFormat(rawValue: name))
    let text = format.render([set(Fixtures.text("formats/findings.yaml"))], Self.setting)
    let path = "formats/findings.\(name).out"
    if Fixtures.record(text, as: path) { Issue.record("recorded \(path): read it, then run again") }
    #expect(text == Fixtures.text(path))
  }

  @Test(arguments: [
    (DiagnosticFormat.text, ""), (.compact, ""), (.json, "[]\n"), (.github, ""), (.gitlab, "[]\n"),
  ])
  func `nothing found is a valid report`(format: DiagnosticFormat, report: String) {
    let good = set("version: 1\njobs:\n  - {identifier: com.example.a, command: [\"true\"]}\n")
    #expect(format.render([good], Self.setting) == report)
  }

  @Test func `GitHub gets no columns on a range of several lines`() {
    let lines = DiagnosticFormat.github
      .render([set(Fixtures.text("formats/findings.yaml"))], Self.setting).split(separator: "\n")
    let many = lines.filter { $0.contains("line=6,endLine=7") }
    #expect(many.count == 1)
    #expect(many.allSatisfy { !$0.contains("col=") })
    #expect(lines.filter { $0.contains("col=") }.count == lines.count - 1)
  }

  @Test func `a path is escaped as each format wants it`() {
    let findings = [set("version: 1\njobs: []\n", path: "/srv/a b/50%,c:d.yaml")]
    let github = DiagnosticFormat.github.render(findings, Self.setting)
    #expect(github.contains("file=a b/50%25%2Cc%3Ad.yaml"))
    let sarif = DiagnosticFormat.sarif.render(findings, Self.setting)
    #expect(sarif.contains(#""uri": "a%20b/50%25%2Cc%3Ad.yaml""#))
  }

  @Test func `SARIF lists every rule, found or not`() {
    let sarif = DiagnosticFormat.sarif.render([], Self.setting)
    for rule in RuleTable.all { #expect(sarif.contains(#""id": "\#(rule.name)""#)) }
    #expect(sarif.contains(#""results": []"#))
  }

  @Test(arguments: [DiagnosticFormat.sarif, .gitlab])
  func `fingerprints stay when lines and jobs move`(format: DiagnosticFormat) {
    let job = "  - identifier: com.example.a\n    comand: [x]\n"
    let other = "  - {identifier: com.example.b, command: [\"true\"]}\n"
    let before = set("version: 1\njobs:\n" + job + other)
    let after = set("# moved\n\nversion: 1\njobs:\n" + other + job)
    #expect(prints(of: before, format) == prints(of: after, format))
    #expect(Set(prints(of: before, format)).count == before.diagnostics.count)
  }

  private func prints(of set: LoadedSet, _ format: DiagnosticFormat) -> [String] {
    let key = format == .sarif ? "\"bgrun/v1\": " : "\"fingerprint\": "
    return format.render([set], Self.setting).split(separator: "\n")
      .filter { $0.contains(key) }.map { String($0.drop { $0 == " " }) }.sorted()
  }

  @Test func `JUnit fails what fails the check`() {
    let warned = set("version: 1\njobs: []\n")
    var setting = Self.setting
    #expect(DiagnosticFormat.junit.render([warned], setting).contains("failures=\"0\""))
    setting.limit = .warning
    #expect(DiagnosticFormat.junit.render([warned], setting).contains("failures=\"1\""))
  }
}
