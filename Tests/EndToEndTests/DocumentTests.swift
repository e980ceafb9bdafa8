import Foundation
import Testing

/// What the documents show is run, so that they stay true.
@Suite("The documents and the jobs of the project")
struct DocumentTests {
  static let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  private func document(_ name: String) throws -> String {
    try String(contentsOfFile: "\(Self.checkout)/\(name)", encoding: .utf8)
  }

  private func readme() throws -> String { try document("README.md") }

  /// The fenced blocks of a document in one language, in order.
  private func blocks(_ language: String, of name: String = "README.md") throws -> [String] {
    try document(name).components(separatedBy: "```\(language)\n").dropFirst().map { rest in
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

  @Test func `the page on commands and the manual name every variable that a command gets`() throws
  {
    let place = try Workplace(
      """
        - identifier: com.example.telling
          timeLimit: 1m
          with: {colors: 3}
          command: [env]
      """)
    _ = try place.bgrun("run", "bgrun.yaml", "--once", "--now", "com.example.telling")
    let names = try place.bgrun("logs", "1").output.split(separator: "\n")
      .compactMap { $0.split(separator: "=").first }
      .filter { $0.hasPrefix("BGRUN_") || $0 == "NOTIFY_SOCKET" }
    #expect(names.count == 9)
    for document in [try document("docs/commands.md"), try document("docs/bgrun.1")] {
      for name in names { #expect(document.contains(name), "\(name)") }
    }
  }

  @Test func `the example of the page on commands does what it says, and validates clean`() throws {
    let place = try Workplace()
    try place.write("bgrun.yaml", try #require(blocks("yaml", of: "docs/commands.md").first))
    #expect(try place.bgrun("validate", "--strict", "bgrun.yaml").status == 0)
    try FileManager.default.createDirectory(
      atPath: "\(place.folder)/bin", withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: "\(place.folder)/bin/bgrun", withDestinationPath: place.program)
    _ = try place.bgrun(
      "run", "bgrun.yaml", "--once", "--now", "com.example.photos.copy",
      environment: ["PATH": "\(place.folder)/bin:/usr/bin:/bin"])
    let row = try #require(try place.history("com.example.photos.copy").first)
    #expect(row["outcome"] as? String == "succeeded")
    #expect(row["progress"] as? Double == 1)
    let log = try place.bgrun("logs", "1").output
    #expect(log.hasPrefix("photo 1\nphoto 2\n") && log.contains("photo 10\n"))
  }
}
