import FoundationEssentials
import JobManifest
import JobModel
import Testing

@Suite("Diagnostics as text and as JSON")
struct RenderingTests {
  @Test func `JSON is an array of the documented shape`() throws {
    let set = TestMachine.load(
      "version: 1\njobs:\n  - identifier: com.example.a\n    kind: processing\n    netwrok: \"🚀\"\n"
    )
    let elements = try JSONDecoder().decode(
      [Element].self, from: Data(DiagnosticRenderer(set).json().utf8))
    let element = try #require(elements.first)
    #expect(elements.count == 1)
    #expect(element.file == "jobs.yaml")
    #expect(element.severity == "error")
    #expect(element.rule == "unknown-key")
    #expect(element.job == "com.example.a")
    #expect(element.path == "jobs[0].netwrok")
    #expect(element.start == Position(line: 5, column: 5, offset: 72, utf16: 4))
    #expect(element.end == Position(line: 5, column: 12, offset: 79, utf16: 11))
    #expect(element.fix?.text == "network")
    #expect(element.notes.isEmpty)
  }

  @Test func `notes and places without a job are told`() throws {
    let set = TestMachine.load("version: 1\nversion: 1\njobs: []\n")
    let elements = try JSONDecoder().decode(
      [Element].self, from: Data(DiagnosticRenderer(set).json().utf8))
    #expect(elements.map(\.rule) == ["duplicate-key", "no-jobs"])
    #expect(elements[0].notes.first?.start.line == 1)
    #expect(elements[0].job == nil)
    #expect(elements[0].fix == nil)
    #expect(elements[1].path == "jobs")
  }

  @Test func `JSON is valid when there is nothing to say`() {
    let set = TestMachine.load(
      "version: 1\njobs: [{identifier: com.example.a, kind: processing}]\n")
    #expect(DiagnosticRenderer(set).json() == "[]\n")
    #expect(DiagnosticRenderer(set).text() == "")
    #expect(DiagnosticRenderer(set).summary == "1 file, 1 job, no mistakes")
  }

  @Test func `quotes and control characters in a message are escaped`() throws {
    let set = TestMachine.load("version: 1\njobs: []\n\"a\\\"\\n\\x01b\\\\\": 1\n")
    let elements = try JSONDecoder().decode(
      [Element].self, from: Data(DiagnosticRenderer(set).json().utf8))
    #expect(elements.count == 2)
  }

  @Test func `colour is only there when asked for`() {
    let set = TestMachine.load("version: 2\njobs: []\n")
    let renderer = DiagnosticRenderer(set)
    #expect(!renderer.text().contains("\u{1B}"))
    #expect(renderer.text(colour: true).contains("\u{1B}[1;31merror:\u{1B}[0m"))
  }

  @Test func `a line as long as the file is cut around the caret`() {
    let filler = String(repeating: "x", count: 100_000)
    let set = TestMachine.load("version: 1\njobs: [{description: \"\(filler)\", netwrok: a}]\n")
    let text = DiagnosticRenderer(set).text()
    #expect(text.contains("netwrok"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count < 300 })
  }

  private struct Element: Decodable {
    let file: String
    let severity: String
    let rule: String
    let message: String
    let job: String?
    let path: String?
    let start: Position
    let end: Position
    let notes: [Note]
    let fix: Fix?
  }

  private struct Note: Decodable {
    let message: String
    let file: String
    let start: Position
    let end: Position
  }

  private struct Fix: Decodable {
    let start: Position
    let end: Position
    let text: String
  }

  private struct Position: Decodable, Equatable {
    let line: Int
    let column: Int
    let offset: Int
    let utf16: Int
  }
}
