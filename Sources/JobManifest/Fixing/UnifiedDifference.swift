/// What changed between two texts, as `patch` and `git apply` read it.
package struct UnifiedDifference {
  private let path: String
  private let old: [Substring]
  private let new: [Substring]
  private static let context = 3

  package init(path: String, from old: String, to new: String) {
    self.path = path
    self.old = Self.lines(old)
    self.new = Self.lines(new)
  }

  /// "" where nothing changed.
  package var text: String {
    let changes = changes
    guard !changes.isEmpty else { return "" }
    return "--- a/\(path)\n+++ b/\(path)\n" + hunks(of: changes).map(text).joined()
  }

  /// Lines of the old text and what stands for them in the new one.
  private struct Change {
    var old: Range<Int>
    var new: Range<Int>
  }

  /// Fixes stay within lines, so that lines answer each other by number; where a fix joins lines,
  /// all between the first and the last difference is one change.
  private var changes: [Change] {
    if old.count == new.count {
      return old.indices.filter { old[$0].utf8.elementsEqual(new[$0].utf8) == false }.map {
        Change(old: $0..<$0 + 1, new: $0..<$0 + 1)
      }
    }
    let before = zip(old, new).prefix { $0 == $1 }.count
    let most = min(old.count, new.count) - before
    let after = zip(old.reversed(), new.reversed()).prefix(most).prefix { $0 == $1 }.count
    return [Change(old: before..<old.count - after, new: before..<new.count - after)]
  }

  /// Changes whose contexts touch belong together.
  private func hunks(of changes: [Change]) -> [[Change]] {
    var hunks: [[Change]] = []
    for change in changes {
      if let last = hunks.last?.last,
        change.old.lowerBound - last.old.upperBound <= 2 * Self.context
      {
        hunks[hunks.count - 1].append(change)
      } else {
        hunks.append([change])
      }
    }
    return hunks
  }

  private func text(of hunk: [Change]) -> String {
    guard let first = hunk.first, let last = hunk.last else { return "" }
    let start = max(0, first.old.lowerBound - Self.context)
    let end = min(old.count, last.old.upperBound + Self.context)
    let newStart = first.new.lowerBound - (first.old.lowerBound - start)
    let newEnd = last.new.upperBound + (end - last.old.upperBound)
    var text = "@@ -\(start + 1),\(end - start) +\(newStart + 1),\(newEnd - newStart) @@\n"
    var next = start
    for change in hunk {
      for line in old[next..<change.old.lowerBound] { text += Self.line(" ", line) }
      for line in old[change.old] { text += Self.line("-", line) }
      for line in new[change.new] { text += Self.line("+", line) }
      next = change.old.upperBound
    }
    for line in old[next..<end] { text += Self.line(" ", line) }
    return text
  }

  private static func line(_ mark: String, _ line: Substring) -> String {
    line.utf8.last == 0x0A ? mark + line : mark + line + "\n\\ No newline at end of file\n"
  }

  /// The lines with their line feeds.
  private static func lines(_ text: String) -> [Substring] {
    var lines: [Substring] = []
    var start = text.startIndex
    for index in text.utf8.indices where text.utf8[index] == 0x0A {
      let end = text.utf8.index(after: index)
      lines.append(text[start..<end])
      start = end
    }
    if start < text.endIndex { lines.append(text[start...]) }
    return lines
  }
}
