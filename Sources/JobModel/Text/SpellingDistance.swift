/// Finds the word that a misspelt one was meant to be, for "did you mean".
package enum SpellingDistance {
  /// Nothing longer is compared: it is no misspelling of a name, and the comparison is quadratic.
  private static let longestCompared = 256

  /// The nearest candidate: one that differs only in case, else the first of those with the
  /// smallest edit distance (transpositions count as one), which is at most a third of the word's
  /// length and at least one; nil when none is near.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    guard word.utf8.count <= longestCompared else { return nil }
    let scalars = Array(word.lowercased().unicodeScalars)
    guard !scalars.isEmpty else { return nil }
    var best: String?
    var bestDistance = max(1, scalars.count / 3) + 1
    for candidate in candidates where candidate.utf8.count <= longestCompared {
      let other = Array(candidate.lowercased().unicodeScalars)
      if other == scalars { return candidate }
      guard abs(other.count - scalars.count) < bestDistance else { continue }
      let distance = distance(scalars, other)
      if distance < bestDistance { (best, bestDistance) = (candidate, distance) }
    }
    return best
  }

  /// The nearest candidate where no other is as near: what may be written without asking.
  package static func onlyNearest(to word: String, among candidates: [String]) -> String? {
    guard let near = nearest(to: word, among: candidates) else { return nil }
    let scalars = Array(word.lowercased().unicodeScalars)
    let nearDistance = distance(scalars, Array(near.lowercased().unicodeScalars))
    let rival = candidates.contains { candidate in
      guard candidate != near, candidate.utf8.count <= longestCompared else { return false }
      let other = Array(candidate.lowercased().unicodeScalars)
      return abs(other.count - scalars.count) <= nearDistance
        && distance(scalars, other) <= nearDistance
    }
    return rival ? nil : near
  }

  /// The number of insertions, deletions, replacements and swaps of neighbours between two words,
  /// no part edited twice.
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (row, scalar) in left.enumerated() {
      var current = [row + 1]
      current.reserveCapacity(last.count)
      for (column, other) in right.enumerated() {
        var cost = min(last[column] + (scalar == other ? 0 : 1), last[column + 1] + 1)
        cost = min(cost, current[column] + 1)
        if row > 0, column > 0, scalar == right[column - 1], left[row - 1] == other {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
