import Foundation
import Testing

/// What the documents show is run, so that they stay true.
@Suite("The documents and the jobs of the project")
struct DocumentTests {
  static let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  private func readme() throws -> String {
    try String(contentsOfFile: "\(Self.checkout)/README.md", encoding: .utf8)
  }

  /// The fenced blocks of the README in one language, in order.
  private func blocks(_ language: String) throws -> [String] {
    try readme().components(separatedBy: "```\(language)\n").dropFirst().map { rest in
      rest.components(separatedBy: "```")[0]
    }
  }

  @Test func `the jobs of the project validate clean`() throws {
    let finished = try Workplace().bgrun("validate", "--strict", "\(Self.checkout)/jobs")
    #expect(finished.status == 0, "\(finished.output)\(finished.errors)")
  }

  @Test func `the README's manifest validates clean`() throws {
    let place = try Workplace()
    try place.write("jobs.yaml", try #require(blocks("yaml").first))
    let finished = try place.bgrun("validate", "jobs.yaml")
    #expect(finished.status == 0, "\(finished.output)\(finished.errors)")
  }

  @Test func `the README's mistakes are reported as it shows them`() throws {
    let place = try Workplace()
    let manifest = try #require(blocks("yaml").first)
      .replacing("requiresExternalPower", with: "requireExternalPower")
      .replacing("\"0 3 * * *\"", with: "\"0 25 * * *\"")
    try place.write("jobs.yaml", manifest)
    let finished = try place.bgrun("validate", "jobs.yaml")
    #expect(finished.status == 1)
    let session = try #require(blocks("console").first)
    #expect("$ bgrun validate jobs.yaml\n" + finished.output + finished.errors == session)
  }

  @Test func `every command that the README lists has help`() throws {
    let rows = try readme().components(separatedBy: "\n").filter { $0.hasPrefix("| `bgrun ") }
    let commands = rows.flatMap { row in
      row.components(separatedBy: "|")[1].matches(of: /`(?:bgrun )?([a-z]+)/).map { $0.output.1 }
    }
    #expect(commands.count > 10)
    let place = try Workplace()
    for command in commands {
      #expect(try place.bgrun(String(command), "--help").status == 0, "\(command)")
    }
  }
}
