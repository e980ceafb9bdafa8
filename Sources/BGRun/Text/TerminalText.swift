/// Text as a terminal shows it in one line.
package enum TerminalText {
  /// Columns that the text takes; the characters of East Asia and pictures take two.
  package static func width(of text: String) -> Int {
    text.reduce(0) { $0 + width(of: $1) }
  }

  /// The text without line breaks and control characters, with which a job could move the cursor or
  /// change the terminal.
  package static func visible(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    return String(
      String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? " " : $0 }))
  }

  /// The text in at most `columns`, its last column an ellipsis where something was left out.
  package static func clipped(_ text: String, to columns: Int) -> String {
    guard width(of: text) > columns else { return text }
    guard columns > 1 else { return columns == 1 ? "…" : "" }
    var kept = ""
    var left = columns - 1
    for character in text {
      left -= width(of: character)
      guard left >= 0 else { break }
      kept.append(character)
    }
    return kept + "…"
  }

  private static func width(of character: Character) -> Int {
    guard let first = character.unicodeScalars.first, first.value >= 0x1100 else { return 1 }
    return wide.contains { $0.contains(first.value) } ? 2 : 1
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value || 0x2028...0x2029 ~= scalar.value
  }

  /// Unicode's East Asian Width W and F, in blocks.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF,
    0x20000...0x3FFFD,
  ]
}
