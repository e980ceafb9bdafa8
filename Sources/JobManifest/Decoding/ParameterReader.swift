import YAMLSource

/// Checks that parameters can be handed on as JSON; what they mean is the handler's affair.
struct ParameterReader {
  let values: ValueReader
  private let tree: YAMLTree

  init(values: ValueReader) {
    self.values = values
    tree = values.tree
  }

  func content(of field: Field, _ mapping: YAMLNode) -> Setting.Content {
    values.reporter.within(.key(field.name)) { isReadable(mapping) ? .mapping : .unusable }
  }

  private func isReadable(_ written: YAMLNode) -> Bool {
    let value = tree.resolved(written)
    switch tree.kind(of: value) {
    case .unread, .alias:
      return false
    case .scalar:
      guard case .foreignTag(let tag) = ScalarForm(of: value, in: tree) else { return true }
      guard tag != "tag:yaml.org,2002:float" else { return true }
      values.reporter.report(
        WrongType.finding(
          "with", wants: "text, numbers, booleans, lists and mappings",
          found: "a value tagged '\(tag)'", at: tree.range(of: value)), about: written)
      return false
    case .sequence:
      var isUsable = true
      for (number, item) in tree.children(of: value).enumerated() {
        values.reporter.within(.item(number)) {
          if !isReadable(item) { isUsable = false }
        }
      }
      return isUsable
    case .mapping:
      var isUsable = true
      PairReader(reporter: values.reporter).forEach(in: value) { key, item in
        values.reporter.within(.key(tree.text(of: key))) {
          if !isReadable(item) { isUsable = false }
        }
      }
      return isUsable
    }
  }
}
