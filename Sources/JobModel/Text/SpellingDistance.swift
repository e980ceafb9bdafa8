/// Finds the word that a misspelt one was meant to be, for "did you mean".
package enum SpellingDistance {
  /// Nothing longer is compared: it is no misspelling of a name, and the comparison is quadratic.
  private static let longestCompared = 256

  /// The nearest candidate: one that differs only in case, else the first of those with the
  /// smallest edit distance (transpositions count as one), which is at most a third of the word's
  /// length and at least one; nil when none is near.
  ///
  /// Of names with labels, such as `com.example.mail` and `Europe/Berlin`, the labels that differ
  /// are also that near by themselves: what long names have in common makes the rest no nearer.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    guard word.utf8.count <= longestCompared else { return nil }
    let scalars = Array(word.lowercased().unicodeScalars)
    guard !scalars.isEmpty else { return nil }
    var best: String?
    var bestDistance = allowance(scalars[...]) + 1
    for candidate in candidates where candidate.utf8.count <= longestCompared {
      let other = Array(candidate.lowercased().unicodeScalars)
      if other == scalars { return candidate }
      guard abs(other.count - scalars.count) < bestDistance else { continue }
      let distance = distance(scalars[...], other[...])
      if distance < bestDistance, areLabelsNear(scalars, other) {
        (best, bestDistance) = (candidate, distance)
      }
    }
    return best
  }

  /// The nearest candidate where no other is as near: what may be written without asking.
  package static func onlyNearest(to word: String, among candidates: [String]) -> String? {
    guard let near = nearest(to: word, among: candidates) else { return nil }
    let scalars = Array(word.lowercased().unicodeScalars)
    let nearDistance = distance(scalars[...], Array(near.lowercased().unicodeScalars)[...])
    let rival = candidates.contains { candidate in
      guard candidate != near, candidate.utf8.count <= longestCompared else { return false }
      let other = Array(candidate.lowercased().unicodeScalars)
      return abs(other.count - scalars.count) <= nearDistance
        && distance(scalars[...], other[...]) <= nearDistance && areLabelsNear(scalars, other)
    }
    return rival ? nil : near
  }

  /// How far from a word another may be.
  private static func allowance(_ word: ArraySlice<Unicode.Scalar>) -> Int {
    max(1, word.count / 3)
  }

  /// Whether each label that differs is near to the one in its place; where the numbers of labels
  /// differ, what lies between those in common counts as one.
  private static func areLabelsNear(_ word: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Bool {
    var left = labels(of: word)[...]
    var right = labels(of: other)[...]
    while let first = left.first, first == right.first {
      left.removeFirst()
      right.removeFirst()
    }
    while let last = left.last, last == right.last {
      left.removeLast()
      right.removeLast()
    }
    if left.count != right.count {
      left = [Array(left.joined(separator: ["."]))[...]]
      right = [Array(right.joined(separator: ["."]))[...]]
    }
    return zip(left, right).allSatisfy { distance($0, $1) <= allowance($0) }
  }

  private static func labels(of name: [Unicode.Scalar]) -> [ArraySlice<Unicode.Scalar>] {
    name.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "/" }
  }

  /// The number of insertions, deletions, replacements and swaps of neighbours between two words,
  /// no part edited twice.
  private static func distance(
    _ left: ArraySlice<Unicode.Scalar>, _ right: ArraySlice<Unicode.Scalar>
  ) -> Int {
    let left = Array(left)
    let right = Array(right)
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
