import JobModel
import YAMLSource

/// Writes a value of the manifest as JSON, typed by the core rules of YAML 1.2.
struct ParameterText {
  let tree: YAMLTree

  init(tree: YAMLTree) { self.tree = tree }

  /// One JSON text without spaces, keys in the order of the file.
  func json(of written: YAMLNode) -> String {
    let value = tree.resolved(written)
    switch tree.kind(of: value) {
    case .mapping:
      let members = pairs(of: value).map { "\(JSONValue.quoted($0)):\(json(of: $1))" }
      return "{" + members.joined(separator: ",") + "}"
    case .sequence:
      return "[" + tree.children(of: value).map { json(of: $0) }.joined(separator: ",") + "]"
    case .scalar:
      return scalar(value)
    case .alias, .unread:
      return "null"
    }
  }

  /// A value that is text; nil for any other.
  func text(of written: YAMLNode) -> String? {
    let value = tree.resolved(written)
    guard tree.kind(of: value) == .scalar else { return nil }
    switch ScalarForm(of: value, in: tree) {
    case .oldBoolean, .oldInteger, .text, .foreignTag: return tree.text(of: value)
    case .null, .boolean, .integer, .float, .hugeInteger: return nil
    }
  }

  /// The pairs of a mapping: its own, then those that merge keys take in and it lacks.
  func pairs(of mapping: YAMLNode) -> [(key: String, value: YAMLNode)] {
    var pairs: [(key: String, value: YAMLNode)] = []
    var names: Set<String> = []
    collect(mapping, &pairs, &names)
    return pairs
  }

  private func collect(
    _ mapping: YAMLNode, _ pairs: inout [(key: String, value: YAMLNode)],
    _ names: inout Set<String>
  ) {
    var merges: [YAMLNode] = []
    var children = tree.children(of: mapping)
    while let key = children.next(), let value = children.next() {
      if tree.isMergeKey(key) {
        merges.append(tree.resolved(value))
        continue
      }
      let name = tree.text(of: tree.resolved(key))
      if names.insert(name).inserted { pairs.append((name, value)) }
    }
    for merge in merges {
      let sources =
        tree.kind(of: merge) == .sequence
        ? tree.children(of: merge).map { tree.resolved($0) } : [merge]
      for source in sources { collect(source, &pairs, &names) }
    }
  }

  private func scalar(_ value: YAMLNode) -> String {
    let text = tree.text(of: value)
    switch ScalarForm(of: value, in: tree) {
    case .null: return "null"
    case .boolean(let flag): return flag ? "true" : "false"
    case .integer(let number): return String(number)
    case .float:
      // JSON has no infinity, and no number that begins or ends with its point.
      guard let number = Double(text), number.isFinite else { return JSONValue.quoted(text) }
      return number.description
    case .hugeInteger: return text.hasPrefix("+") ? String(text.dropFirst()) : text
    case .oldBoolean, .oldInteger, .text, .foreignTag: return JSONValue.quoted(text)
    }
  }
}
