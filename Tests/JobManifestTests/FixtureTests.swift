import JobManifest
import Testing

@Suite("Each fixture says what its .out file says")
struct FixtureTests {
  @Test(arguments: Fixtures.names(in: "single", ending: ".yaml"))
  func `one file gives its diagnostics and summary`(name: String) {
    let source = ManifestSource(
      path: "\(name).yaml", folder: "/srv", bytes: Fixtures.bytes("single/\(name).yaml"))
    check(
      TestMachine.loader.check(sources: [source]), against: "single/\(name).out")
  }

  @Test(arguments: Fixtures.names(in: "sets", ending: ".set"))
  func `the files of a folder are one set`(name: String) {
    let folder = "sets/\(name).set"
    let sources = Fixtures.names(in: folder, ending: ".yaml").map {
      ManifestSource(
        path: "\(name)/\($0).yaml", folder: "/srv", bytes: Fixtures.bytes("\(folder)/\($0).yaml"))
    }
    #expect(sources.count > 1)
    check(TestMachine.loader.check(sources: sources), against: "sets/\(name).out")
  }

  private func check(_ set: LoadedSet, against path: String) {
    let renderer = DiagnosticRenderer(set)
    let text = renderer.text() + (set.diagnostics.isEmpty ? "" : "\n") + renderer.summary + "\n"
    if Fixtures.record(text, as: path) { Issue.record("recorded \(path): read it, then run again") }
    #expect(text == Fixtures.text(path))
  }
}

@Suite("The table of cases that must come out right")
struct ExpectedTableTests {
  struct Row: CustomTestStringConvertible {
    let file: String
    let exitCode: String
    let place: String
    let rule: String

    var testDescription: String { file }
  }

  static let rows: [Row] = Fixtures.text("EXPECTED.tsv").split(separator: "\n").compactMap { line in
    let cells = line.split(separator: "\t").map(String.init)
    guard cells.count >= 4, !line.hasPrefix("#") else { return nil }
    return Row(file: cells[0], exitCode: cells[1], place: cells[2], rule: cells[3])
  }

  @Test func `the table is there`() {
    #expect(Self.rows.count > 30)
  }

  @Test(arguments: rows)
  func `a case gives its exit code, place and rule`(row: Row) {
    let set = TestMachine.loader.check(sources: [
      ManifestSource(path: row.file, folder: "/srv", bytes: Fixtures.bytes("single/\(row.file)"))
    ])
    #expect(set.holds(.error) == (row.exitCode == "1"))
    let found = places(of: set)
    if row.file == "ten-mistakes.yaml" {
      #expect(found == tenMistakes)
    } else if row.exitCode == "0" {
      #expect(found.isEmpty)
    } else {
      #expect(found.count == 1)
      #expect(set.diagnostics.first?.rule.name == row.rule)
      if row.place != "-" { #expect(found == ["\(row.place) \(row.rule)"]) }
    }
  }

  private func places(of set: LoadedSet) -> [String] {
    DiagnosticRenderer(set).text().split(separator: "\n").compactMap { line in
      guard line.hasSuffix("]"), let open = line.lastIndex(of: "[") else { return nil }
      let parts = line.split(separator: ":")
      guard parts.count > 3 else { return nil }
      return "\(parts[1]):\(parts[2]) \(line[line.index(after: open)...].dropLast())"
    }
  }

  /// As printed by `Benchmarks/generate_manifest.py --jobs 20 --mistakes 10 --expect`.
  private let tenMistakes = [
    "17:5 unknown-key", "39:15 invalid-value", "57:28 ambiguous-scalar", "83:5 duplicate-key",
    "95:11 invalid-value", "123:28 invalid-duration", "134:17 invalid-identifier",
    "157:14 wrong-type", "178:5 unknown-key", "200:15 invalid-value",
  ]
}
