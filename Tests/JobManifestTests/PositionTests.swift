import JobManifest
import Testing
import YAMLSource

/// An unknown key at every mapping of every layout: its rule, line, column and caret.
@Suite("A mistake is told where it stands")
struct PositionTests {
  enum Form: String, CaseIterable {
    case utf8, utf8WithMark, windowsLines, utf16LittleEndian, utf16BigEndian

    func bytes(of text: String) -> [UInt8] {
      switch self {
      case .utf8: return Array(text.utf8)
      case .utf8WithMark: return [0xEF, 0xBB, 0xBF] + text.utf8
      case .windowsLines: return text.utf8.flatMap { $0 == 10 ? [13, 10] : [$0] }
      case .utf16LittleEndian:
        return [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      case .utf16BigEndian:
        return [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      }
    }
  }

  static let names = Fixtures.names(in: "positions", ending: ".yaml")
  /// Plain, quoted, wide, with a character of two scalars, and a picture.
  private static let keys = ["zzq", "\"zz q\"", "'zz'", "宽zz", "zze\u{301}é", "🎉zz"]

  private func check(_ text: String, as form: Form) -> LoadedSet {
    TestMachine.loader.check(sources: [
      ManifestSource(path: "a.yaml", folder: "/srv", bytes: form.bytes(of: text))
    ])
  }

  @Test func `there are layouts with many places each`() {
    #expect(Self.names.count >= 7)
    let places = Self.names.map { PlantedText(Fixtures.text("positions/\($0).yaml")).count }
    #expect(places.reduce(0, +) > 120)
  }

  @Test(arguments: names, Form.allCases)
  func `without a planted key there is nothing to say`(name: String, form: Form) {
    let bare = PlantedText(Fixtures.text("positions/\(name).yaml")).bare
    #expect(DiagnosticRenderer(check(bare, as: form)).text() == "")
  }

  @Test(arguments: names, Form.allCases)
  func `a planted key is told with its line, column and caret`(name: String, form: Form) throws {
    let marked = PlantedText(Fixtures.text("positions/\(name).yaml"))
    for number in 0..<marked.count {
      for key in Self.keys {
        guard let planting = marked.planting(key, at: number) else { continue }
        let found = check(planting.text, as: form)
        let text = DiagnosticRenderer(found).text()
        guard !planting.isAllowed else {
          #expect(text == "", "\(key) at mark \(number + 1)")
          continue
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let place = "a.yaml:\(planting.line):\(planting.column): error: unknown key "
        let isTold =
          found.diagnostics.count == 1 && found.diagnostics[0].rule.name == "unknown-key"
          && lines[0].hasPrefix(place) && lines.count > 3
        #expect(isTold, "\(key) at mark \(number + 1), expected \(place), got\n\(text)")
        guard isTold else { continue }
        let (source, caret) = try excerpt(of: planting)
        #expect(lines[2] == source)
        #expect(lines[3].hasPrefix(caret + " ") || lines[3] == caret, "\(lines[3])")
      }
    }
  }

  /// The two lines of the excerpt: the source, and the caret as far as its tildes go.
  private func excerpt(of planting: PlantedText.Planting) throws -> (source: String, caret: String)
  {
    let line = planting.text.split(separator: "\n", omittingEmptySubsequences: false)[
      planting.line - 1]
    var shown = ""
    var cells = 0
    var start = 0
    for (index, scalar) in line.unicodeScalars.enumerated() {
      if index == planting.column - 1 { start = cells }
      if scalar == "\t" {
        let width = 4 - cells % 4
        shown += String(repeating: " ", count: width)
        cells += width
      } else {
        shown.unicodeScalars.append(scalar)
        cells += try Self.cells(of: scalar)
      }
    }
    while shown.last == " " { shown.removeLast() }
    let width = try planting.key.unicodeScalars.reduce(0) { try $0 + Self.cells(of: $1) }
    let number = String(planting.line)
    let gutter = String(repeating: " ", count: max(2, number.count))
    return (
      String(gutter.dropFirst(number.count)) + number + " | " + shown,
      gutter + " | " + String(repeating: " ", count: start) + "^"
        + String(repeating: "~", count: width - 1)
    )
  }

  /// The cells of the characters that the layouts use, from the tables of Unicode.
  private static func cells(of scalar: Unicode.Scalar) throws -> Int {
    switch scalar {
    case " "..."~", "ü", "ß", "é", "ｱ": 1
    case "\u{301}", "\u{302}", "\u{200D}": 0
    case "宽", "🎉", "👩", "💻", "ｆ", "ｕ", "ｌ", "한", "글": 2
    default: throw UnknownCharacter(scalar: scalar)
    }
  }

  private struct UnknownCharacter: Error {
    let scalar: Unicode.Scalar
  }
}
