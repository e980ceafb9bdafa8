import Foundation
import Testing

@Suite("Schema and loader agree on what is only structure")
struct SchemaTests {
  private static let fixtures = "\(DocumentTests.checkout)/Tests/JobManifestTests/Fixtures/single"
  private static let schema = "\(DocumentTests.checkout)/schemas/bgrun-manifest.schema.json"

  /// Rules that a schema can tell, as far as a single value goes.
  private static let structural: Set = [
    "unknown-key", "misplaced-key", "missing-key", "wrong-type", "ambiguous-scalar",
    "invalid-value", "invalid-duration", "invalid-size", "invalid-identifier", "out-of-range",
    "empty-manifest",
  ]

  /// Rules under which there is no value, or another one, for a schema to look at.
  private static let textual: Set = [
    "syntax", "encoding", "undefined-alias", "alias-limit", "depth-limit", "size-limit",
    "duplicate-key",
  ]

  /// Fixtures that only the loader can judge, and why.
  private static let loaderOnly: [String: String] = [
    "float-version.yaml": "to a schema 1.0 is 1",
    "octal-version.yaml": "to a schema 01 is 1",
    "ignores.yaml": "comments silence what the schema still refuses",
    "null-without-default.yaml": "null needs a default over which it restores the built-in value",
    "wildcards.yaml": "a star in the middle has a rule of its own, which isn't structural",
  ]

  private struct Finding: Decodable {
    var file: String
    var rule: String
    var severity: String
  }

  @Test(.enabled(if: SchemaJudge.isPossible, "check-jsonschema isn't installed"))
  func `each fixture is judged alike`() throws {
    let place = try Workplace()
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.fixtures)
      .filter { $0.hasSuffix(".yaml") }.sorted()
    var rulesByFile: [String: Set<String>] = [:]
    for name in names {
      let checked = try place.bgrun("validate", "--format", "json", "\(Self.fixtures)/\(name)")
      let found = try JSONDecoder().decode([Finding].self, from: Data(checked.output.utf8))
      let rules = Set(found.filter { $0.severity == "error" }.map(\.rule))
      if rules.isDisjoint(with: Self.textual) { rulesByFile[name] = rules }
    }
    let files = rulesByFile.keys.sorted().map { "\(Self.fixtures)/\($0)" }
    let report = try SchemaJudge.judge(files, by: Self.schema)
    let refused = Set(report.refused.map { name(of: $0) })
    // Several documents, and tags of other schemas.
    let unreadable = Set(report.unreadable.map { name(of: $0) })
    #expect(unreadable == ["documents.yaml", "tags.yaml", "two-docs-second-bad.yaml"])
    let disagreements = rulesByFile.filter { name, rules in
      !unreadable.contains(name)
        && rules.isDisjoint(with: Self.structural) == refused.contains(name)
    }.keys
    #expect(disagreements.sorted() == Self.loaderOnly.keys.sorted())
  }

  private func name(of path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }

  @Test(.enabled(if: SchemaJudge.isPossible, "check-jsonschema isn't installed"))
  func `the jobs of the project satisfy the schema`() throws {
    let folder = "\(DocumentTests.checkout)/jobs"
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".yaml") }.map { "\(folder)/\($0)" }
    #expect(try SchemaJudge.judge(files, by: Self.schema) == SchemaJudge.Report())
  }
}
