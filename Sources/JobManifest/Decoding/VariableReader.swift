import YAMLSource

/// Reads the variables that a program gets.
struct VariableReader {
  let values: ValueReader
  private let tree: YAMLTree

  init(values: ValueReader) {
    self.values = values
    tree = values.tree
  }

  func content(of field: Field, _ mapping: YAMLNode, _ written: YAMLNode) -> Setting.Content {
    values.reporter.within(.key(field.name)) {
      values.reporter.following(written) {
        var isUsable = true
        PairReader(reporter: values.reporter).forEach(in: mapping) { key, value in
          if !isVariable(field, key, value) { isUsable = false }
        }
        return isUsable ? .mapping : .unusable
      }
    }
  }

  private func isVariable(_ field: Field, _ key: YAMLNode, _ written: YAMLNode) -> Bool {
    let name = tree.text(of: key)
    let value = tree.resolved(written)
    let finding: Finding
    if name == "inherit" {
      guard tree.kind(of: value) == .scalar else {
        return tree.kind(of: value) == .unread ? false : wrongSwitch(value, written)
      }
      if case .boolean = ScalarForm(of: value, in: tree) { return true }
      return wrongSwitch(value, written)
    }
    if name.isEmpty || name.contains("=") {
      finding = InvalidValue.variableName(name, at: tree.range(of: key))
      values.reporter.report(finding, under: name)
      return false
    }
    switch tree.kind(of: value) {
    case .scalar where values.isFilled(value): return true
    case .unread: return false
    case .scalar, .sequence, .mapping, .alias:
      finding = WrongType.finding(
        name.shortened, wants: "text", found: values.found(value), at: tree.range(of: value),
        hint: tree.kind(of: value) == .scalar ? "write \"\" for an empty text" : nil)
    }
    values.reporter.report(finding, about: written, under: name)
    return false
  }

  private func wrongSwitch(_ value: YAMLNode, _ written: YAMLNode) -> Bool {
    values.reporter.report(
      WrongType.finding(
        "inherit", wants: "true or false", found: values.found(value), at: tree.range(of: value)),
      about: written, under: "inherit")
    return false
  }
}
