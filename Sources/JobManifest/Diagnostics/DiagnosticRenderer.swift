import YAMLSource

/// Shows what loading found, to people and to programs.
package struct DiagnosticRenderer {
  let set: LoadedSet
  private let tables: [Int: LineTable]

  package init(_ set: LoadedSet) {
    self.set = set
    var tables: [Int: LineTable] = [:]
    for diagnostic in set.diagnostics {
      for source in [diagnostic.source] + diagnostic.notes.map(\.source)
      where tables[source] == nil {
        tables[source] = LineTable(source: set.files[source].text)
      }
    }
    self.tables = tables
  }

  func path(_ source: Int) -> String { set.files[source].path }

  func table(_ source: Int) -> LineTable {
    tables[source] ?? LineTable(source: set.files[source].text)
  }

  // MARK: Text

  /// All diagnostics as text, an empty line between two; "" where there is none.
  package func text(colour: Bool = false) -> String {
    let style = TextStyle(isColoured: colour)
    return set.diagnostics.map { text(of: $0, style) }.joined(separator: "\n")
  }

  /// One diagnostic as text, without colour.
  func text(of diagnostic: Diagnostic) -> String {
    text(of: diagnostic, TextStyle(isColoured: false))
  }

  private func text(of diagnostic: Diagnostic, _ style: TextStyle) -> String {
    var text = header(
      diagnostic.source, diagnostic.range, diagnostic.severity, diagnostic.message,
      rule: diagnostic.rule.name, style)
    text += excerpt(
      diagnostic.source, diagnostic.range, diagnostic.severity, hint: diagnostic.hint, style)
    for note in diagnostic.notes {
      text += header(note.source, note.range, .note, note.message, rule: nil, style)
      text += excerpt(note.source, note.range, .note, hint: nil, style)
    }
    return text
  }

  private func header(
    _ source: Int, _ range: ByteRange, _ severity: Severity, _ message: String, rule: String?,
    _ style: TextStyle
  ) -> String {
    let position = table(source).position(of: Int(range.start))
    let place = "\(path(source)):\(position.line):\(position.column):"
    return style.bold(place) + " " + style.severity(severity, severity.rawValue + ":") + " "
      + style.bold(message) + (rule.map { " [\($0)]" } ?? "") + "\n"
  }

  private func excerpt(
    _ source: Int, _ range: ByteRange, _ severity: Severity, hint: String?, _ style: TextStyle
  ) -> String {
    let table = table(source)
    let line = min(table.line(of: Int(range.start)), table.lineCount)
    let excerpt = SourceExcerpt(
      line: table.range(ofLine: line), range: range, in: table.source)
    let number = String(line)
    let gutter = String(repeating: " ", count: max(2, number.count))
    let padding = String(repeating: " ", count: gutter.count - number.count)
    let caret = "^" + String(repeating: "~", count: excerpt.width - 1)
    let advice = hint.map { " \($0)" } ?? ""
    var text = style.faint("\(gutter) |") + "\n"
    text += style.faint("\(padding)\(number) |") + (excerpt.text.isEmpty ? "" : " ") + excerpt.text
    text += "\n" + style.faint("\(gutter) |") + String(repeating: " ", count: excerpt.indent + 1)
    return text + style.severity(severity, caret + advice) + "\n"
  }

  // MARK: Summary

  /// "3 files, 12 jobs, 1 error, 2 warnings", and what wasn't checked, a line for each.
  package var summary: String {
    var parts = [Self.count(set.files.count, "file"), Self.count(set.jobCount, "job")]
    for severity in [Severity.error, .warning, .note] {
      let count = set.diagnostics.count { $0.severity == severity }
      if count > 0 { parts.append(Self.count(count, severity.rawValue)) }
    }
    if set.diagnostics.isEmpty { parts.append("no mistakes") }
    var lines = [parts.joined(separator: ", ")]
    for file in set.files {
      guard let offset = file.uncheckedFrom else { continue }
      let line = LineTable(source: file.text).line(of: offset)
      lines.append("\(file.path) wasn't checked from line \(line) on")
    }
    return lines.joined(separator: "\n")
  }

  private static func count(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}

/// The colours of a terminal, or none.
private struct TextStyle {
  let isColoured: Bool

  func bold(_ text: String) -> String { wrapped(text, "1") }

  func faint(_ text: String) -> String { wrapped(text, "2") }

  func severity(_ severity: Severity, _ text: String) -> String {
    switch severity {
    case .error: wrapped(text, "1;31")
    case .warning: wrapped(text, "1;33")
    case .note: wrapped(text, "1;36")
    }
  }

  private func wrapped(_ text: String, _ code: String) -> String {
    isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
