import Glibc

/// The `.gitignore` files that hold for a folder, the nearest last. All paths are absolute.
struct GitIgnore {
  private struct Pattern {
    /// The folder whose file holds the pattern.
    let folder: String
    let segments: [String]
    /// It has a slash before its end, so it counts from its folder.
    let isAnchored: Bool
    let onlyFolders: Bool
    let isNegated: Bool
  }

  private var patterns: [Pattern] = []

  /// The files above a folder, up to the one that holds `.git`; none outside a repository.
  static func above(_ folder: String) -> GitIgnore {
    var parents: [String] = []
    var current = Substring(folder)
    while !current.isEmpty {
      if access("\(current)/.git", F_OK) == 0 {
        return parents.reversed().reduce(GitIgnore()) { $0.adding($1) }
      }
      guard let slash = current.lastIndex(of: "/") else { break }
      current = current[..<slash]
      parents.append(String(current))
    }
    return GitIgnore()
  }

  /// These patterns with those of a folder's own file behind them.
  func adding(_ folder: String) -> GitIgnore {
    guard let file = fopen("\(folder)/.gitignore", "r") else { return self }
    defer { fclose(file) }
    var result = self
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while getline(&line, &capacity, file) > 0, let text = line {
      if let pattern = Self.pattern(String(cString: text), folder: folder) {
        result.patterns.append(pattern)
      }
    }
    return result
  }

  private static func pattern(_ line: String, folder: String) -> Pattern? {
    var text = Substring(line)
    while let last = text.last, last.isWhitespace { text.removeLast() }
    guard !text.isEmpty, text.first != "#" else { return nil }
    let isNegated = text.first == "!"
    if isNegated { text.removeFirst() }
    let onlyFolders = text.last == "/"
    if onlyFolders { text.removeLast() }
    let isAnchored = text.contains("/")
    if text.first == "/" { text.removeFirst() }
    guard !text.isEmpty else { return nil }
    return Pattern(
      folder: folder, segments: text.split(separator: "/").map(String.init),
      isAnchored: isAnchored, onlyFolders: onlyFolders, isNegated: isNegated)
  }

  /// Whether the last pattern that matches a path excludes it.
  func excludes(_ path: String, isFolder: Bool) -> Bool {
    var isExcluded = false
    for pattern in patterns where pattern.isNegated == isExcluded {
      guard isFolder || !pattern.onlyFolders else { continue }
      let prefix = pattern.folder + "/"
      guard path.hasPrefix(prefix) else { continue }
      let segments = path.dropFirst(prefix.count).split(separator: "/").map(String.init)
      let matches =
        pattern.isAnchored
        ? Self.matches(segments[...], pattern.segments[...])
        : segments.last.map { Self.matches($0, pattern.segments[0]) } ?? false
      if matches { isExcluded.toggle() }
    }
    return isExcluded
  }

  private static func matches(_ path: ArraySlice<String>, _ pattern: ArraySlice<String>) -> Bool {
    guard let first = pattern.first else { return path.isEmpty }
    if first == "**" {
      return (path.startIndex...path.endIndex).contains {
        matches(path[$0...], pattern.dropFirst())
      }
    }
    guard let name = path.first, matches(name, first) else { return false }
    return matches(path.dropFirst(), pattern.dropFirst())
  }

  private static func matches(_ name: String, _ pattern: String) -> Bool {
    fnmatch(pattern, name, 0) == 0
  }
}
