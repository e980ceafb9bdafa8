import YAMLSource

/// Goes through the pairs of a mapping, those that merge keys take in behind its own.
struct PairReader {
  let reporter: FindingReporter
  private let tree: YAMLTree

  init(reporter: FindingReporter) {
    self.reporter = reporter
    tree = reporter.tree
  }

  /// Calls `body` with each key and value; the first of two equal keys counts, so that a mapping's
  /// own pairs win over merged ones.
  func forEach(in mapping: YAMLNode, _ body: (_ key: YAMLNode, _ value: YAMLNode) -> Void) {
    var holdsMerges = false
    tree.forEachPair(of: mapping) { key, value in
      if tree.isMergeKey(key) {
        holdsMerges = true
      } else if tree.kind(of: key) == .scalar {
        body(key, value)
      } else if tree.kind(of: tree.resolved(key)) == .scalar {
        body(tree.resolved(key), value)
      } else if tree.kind(of: key) != .unread {
        reporter.report(WrongType.key(at: tree.range(of: key)))
      }
    }
    guard holdsMerges else { return }
    tree.forEachPair(of: mapping) { key, value in
      if tree.isMergeKey(key) { take(value, body) }
    }
  }

  private func take(_ merge: YAMLNode, _ body: (YAMLNode, YAMLNode) -> Void) {
    let value = tree.resolved(merge)
    switch tree.kind(of: value) {
    case .mapping:
      reporter.following(merge) { forEach(in: value, body) }
    case .sequence where value == merge || tree.kind(of: merge) == .alias:
      for item in tree.children(of: value) {
        let mapping = tree.resolved(item)
        if tree.kind(of: mapping) == .mapping {
          reporter.following(item) { forEach(in: mapping, body) }
        } else if tree.kind(of: mapping) != .unread {
          reporter.report(WrongType.merge(at: tree.range(of: item)))
        }
      }
    case .unread:
      break
    case .scalar, .sequence, .alias:
      reporter.report(WrongType.merge(at: tree.range(of: merge)))
    }
  }
}
