/// Breaks paragraphs into lines at spaces.
package enum LineWrap {
  /// The lines of `text`, each at most `width` characters unless one word is longer.
  package static func lines(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.unicodeScalars.count + 1 + word.unicodeScalars.count > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " " + word
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }
}
