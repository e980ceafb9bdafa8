import JobManifest
import Testing

/// The pages stand in `docs/rules`; `RECORD_FIXTURES=1 swift test` writes them anew, and fails.
@Suite("Each rule's page shows what the rule does")
struct RulePageTests {
  private func check(_ example: String) -> LoadedSet {
    TestMachine.loader.check(sources: [TestMachine.source(example)])
  }

  @Test(arguments: RuleTable.all.map(\.name))
  func `the bad example shows this rule alone, and the good one nothing`(name: String) throws {
    let rule = try #require(RuleTable.rule(named: name))
    if let bad = rule.bad {
      let found = check(bad).diagnostics
      #expect(!found.isEmpty)
      #expect(found.allSatisfy { $0.rule == rule }, "\(found.map(\.rule.name))")
    } else {
      // Too large to show, or only where root runs it.
      #expect(["depth-limit", "size-limit", "writable-by-others"].contains(name))
    }
    #expect(check(rule.good).diagnostics.map(\.message) == [])
  }

  @Test(arguments: RuleTable.all.map(\.name))
  func `the page in docs is the rule's own description`(name: String) throws {
    let rule = try #require(RuleTable.rule(named: name))
    let output = rule.bad.map { DiagnosticRenderer(check($0)).text() }
    compare(RulePage(rule).markdown(output: output), with: "\(name).md")
  }

  @Test func `the index lists every rule`() {
    compare(RulePage.index(of: RuleTable.all), with: "README.md")
  }

  @Test func `every page belongs to a rule`() {
    let pages = Fixtures.names(in: Self.folder, ending: ".md")
    #expect(pages == (RuleTable.all.map(\.name) + ["README"]).sorted())
  }

  private static let folder = "../../../docs/rules"

  private func compare(_ text: String, with name: String) {
    let path = "\(Self.folder)/\(name)"
    if Fixtures.record(text, as: path) { Issue.record("recorded \(name): read it, then run again") }
    #expect(text == Fixtures.text(path))
  }
}

@Suite("The JSON Schema is the table of keys")
struct ManifestSchemaTests {
  private static let file = "../../../schemas/bgrun-manifest.schema.json"

  @Test func `the committed schema is the one that the table makes`() {
    let text = ManifestSchema.text
    if Fixtures.record(text, as: Self.file) { Issue.record("recorded the schema") }
    #expect(text == Fixtures.text(Self.file))
  }

  @Test func `every rule that the schema can't tell is listed with its reason`() {
    let listed = ManifestSchema.onlyTheLoaderKnows.map(\.what).joined(separator: " ")
    let structural = [
      "unknown-key", "misplaced-key", "invalid-duration", "invalid-size", "invalid-identifier",
      "empty-manifest",
    ]
    for rule in RuleTable.all where !structural.contains(rule.name) {
      #expect(listed.contains(rule.name), "\(rule.name)")
    }
  }
}
