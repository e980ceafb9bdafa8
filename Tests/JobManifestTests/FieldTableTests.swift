import JobManifest
import JobModel
import Testing

@Suite("One description of each key drives everything")
struct FieldTableTests {
  static let jobFields = FieldScope.job.fields

  @Test func `every key is described, once in each scope`() {
    for scope in FieldScope.allCases {
      let names = scope.fields.map(\.name)
      #expect(Set(names).count == names.count)
    }
    for id in FieldID.allCases { #expect(FieldTable.field(id).id == id) }
  }

  @Test(arguments: FieldScope.allCases)
  func `descriptions are sentences with an example of the key`(scope: FieldScope) {
    for field in scope.fields {
      #expect(field.summary.hasSuffix("."))
      #expect(field.example.contains(field.name))
    }
  }

  @Test(arguments: jobFields.map(\.name))
  func `a job with the example of a key is valid`(name: String) throws {
    let field = try #require(Self.jobFields.first { $0.name == name })
    let text = manifest(around: field)
    let found = TestMachine.load(text).diagnostics.filter { $0.rule.name != "missing-command" }
    #expect(found.map(\.message) == [])
  }

  private func manifest(around field: Field) -> String {
    let kind: JobKind =
      field.effect.kinds.contains(.processing) ? .processing : .continuedProcessing
    var lines = [field.example]
    if field.id != .identifier { lines.append("identifier: com.example.job") }
    if field.id != .kind { lines.append("kind: \(kind.rawValue)") }
    if field.effect.needsCommand { lines.append("command: [\"true\"]") }
    let job = lines.enumerated().map { ($0.offset == 0 ? "  - " : "    ") + $0.element }
    return "version: 1\njobs:\n" + job.joined(separator: "\n")
      + "\n  - {identifier: com.example.download, kind: processing}\n"
  }

  @Test func `what people call a key elsewhere is the name of none here`() {
    let names = Set(Self.jobFields.map(\.name))
    for field in Self.jobFields {
      for word in field.borrowed { #expect(!names.contains(word), "\(field.name): \(word)") }
    }
  }

  @Test func `a borrowed word leads to one key`() {
    for scope in FieldScope.allCases {
      let words = scope.fields.flatMap { Set($0.borrowed.map { $0.lowercased() }) }
      let twice = Dictionary(grouping: words, by: \.self).filter { $1.count > 1 }.keys
      #expect(twice.sorted() == [])
    }
  }
}

@Suite("Every rule is tried")
struct RuleTableTests {
  @Test(arguments: RuleTable.all.map(\.name))
  func `a fixture shows the rule`(name: String) {
    let files = Fixtures.names(in: "single", ending: ".out").map { "single/\($0).out" }
    let sets = Fixtures.names(in: "sets", ending: ".out").map { "sets/\($0).out" }
    let shown = (files + sets).contains { Fixtures.text($0).contains("[\(name)]") }
    // Files too large to keep are made in HostileInputTests; handlers are in no fixture, but in
    // WrongParameterTests.
    #expect(shown || ["size-limit", "wrong-parameter", "writable-by-others"].contains(name))
  }

  @Test func `names are unique and kebab-case, summaries are sentences`() {
    let names = RuleTable.all.map(\.name)
    #expect(Set(names).count == names.count)
    for rule in RuleTable.all {
      #expect(rule.name.allSatisfy { $0.isLowercase || $0 == "-" })
      #expect(rule.summary.hasSuffix("."))
    }
  }
}
