/// Aligned columns for people.
package struct TextTable {
  /// One text of a row, which keeps to its line whatever it holds.
  package struct Cell {
    fileprivate let text: String
    fileprivate let tint: TextStyle.Tint?

    package init(_ text: String, _ tint: TextStyle.Tint? = nil) {
      self.text = TerminalText.visible(text)
      self.tint = tint
    }
  }

  /// At which side of its column a text stands.
  package enum Alignment: Sendable {
    case left
    case right
  }

  private var columns: [(title: String, alignment: Alignment)]
  private var rows: [[Cell]] = []

  /// A table without rows yet.
  package init(_ columns: [(title: String, alignment: Alignment)]) {
    self.columns = columns
  }

  /// Adds a row, with a cell for each column.
  package mutating func add(_ row: [Cell]) {
    rows.append(row)
  }

  /// The lines, without white space at their ends; columns in which no row has text are left out.
  package func lines(_ style: TextStyle) -> [String] {
    let kept = columns.indices.filter { column in rows.contains { !$0[column].text.isEmpty } }
    let widths = kept.map { column in
      rows.reduce(columns[column].title.unicodeScalars.count) {
        max($0, $1[column].text.unicodeScalars.count)
      }
    }
    let header = columns.map { Cell($0.title, .dim) }
    return ([header] + rows).map { row in
      var line = ""
      // Padding waits until something follows it: no line ends in spaces.
      var padding = 0
      for (column, width) in zip(kept, widths) {
        let cell = row[column]
        let room = width - cell.text.unicodeScalars.count
        if columns[column].alignment == .right { padding += room }
        if !cell.text.isEmpty {
          line += String(repeating: " ", count: padding) + style.apply(cell.tint, to: cell.text)
          padding = 0
        }
        if columns[column].alignment == .left { padding += room }
        padding += 2
      }
      return line
    }
  }
}
