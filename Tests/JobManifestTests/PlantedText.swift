/// A text of `Fixtures/positions` with places at which a key can be planted, found by their marks and
/// not by reading YAML.
///
/// A mark `⟦TEXT⟧` is TEXT with K as the planted key, `\n` as a line's end, or nothing where another
/// mark's turn is. `⟦!TEXT⟧` stands where any key may stand.
struct PlantedText {
  /// A text with one key planted.
  struct Planting {
    let text: String
    /// The number of the key's line and its column, from 1, in scalars.
    let line: Int
    let column: Int
    /// The key as it is written, quotes and all.
    let key: String
    let isAllowed: Bool
  }

  private struct Mark {
    let before: Substring
    let text: String
    let isAllowed: Bool
  }

  private var marks: [Mark] = []
  private var rest: Substring

  init(_ marked: String) {
    rest = marked[...]
    while let open = rest.firstIndex(of: "⟦"), let close = rest[open...].firstIndex(of: "⟧") {
      let inside = rest[rest.index(after: open)..<close]
      let text = inside.drop { $0 == "!" }
      marks.append(
        Mark(
          before: rest[..<open], text: String(text).replacing("\\n", with: "\n"),
          isAllowed: text.count < inside.count))
      rest = rest[rest.index(after: close)...]
    }
  }

  var count: Int { marks.count }

  /// The text with nothing planted.
  var bare: String { marks.map { String($0.before) }.joined() + rest }

  /// The text with a key planted at one mark; nil where a mark that has quotes itself can't take it.
  func planting(_ key: String, at number: Int) -> Planting? {
    let mark = marks[number]
    // K is nothing but the key in these marks.
    let parts = mark.text.split(separator: "K", omittingEmptySubsequences: false)
    var lead = String(parts[0])
    var written = key
    if lead.hasSuffix("\"") {
      guard key.allSatisfy({ $0 != "\"" && $0 != "'" }) else { return nil }
      written = "\"\(key)\""
      lead.removeLast()
    }
    let before = marks[...number].map { String($0.before) }.joined() + lead
    let lines = before.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    let text =
      marks[..<number].map { String($0.before) }.joined() + mark.before
      + parts[0] + key + parts[1...].joined(separator: "K")
      + marks[(number + 1)...].map { String($0.before) }.joined() + rest
    return Planting(
      text: text, line: lines.count, column: (lines.last?.count ?? 0) + 1, key: written,
      isAllowed: mark.isAllowed)
  }
}
