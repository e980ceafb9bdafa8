import JobModel
import YAMLSource

/// Reads the lists of the format: arguments, identifiers, words.
struct ListReader {
  let values: ValueReader
  private let tree: YAMLTree

  init(values: ValueReader) {
    self.values = values
    tree = values.tree
  }

  func content(of field: Field, _ list: YAMLNode, _ written: YAMLNode) -> Setting.Content {
    if tree.isCut(list) { return .unusable }
    var isUsable = true
    var number = 0
    tree.forEachItem(of: list) { item, index in
      let value = tree.resolved(item)
      if !isItem(field, value, item, index) { isUsable = false }
      number += 1
    }
    if number == 0, case .arguments = field.type {
      values.reporter.report(
        InvalidValue.empty(field, at: tree.range(of: list)), about: written, under: field.name)
      return .unusable
    }
    return isUsable ? .list : .unusable
  }

  private func isItem(
    _ field: Field, _ value: YAMLNode, _ written: YAMLNode, _ number: Int
  ) -> Bool {
    switch tree.kind(of: value) {
    case .unread, .alias:
      return false
    case .sequence, .mapping:
      report(
        WrongType.finding(
          field.name, wants: field.type.expectation, found: "\(values.found(value)) in it",
          at: tree.range(of: value)), field, number, written)
      return false
    case .scalar:
      guard values.isFilled(value) else {
        report(
          WrongType.finding(
            field.name, wants: field.type.expectation, found: "an empty item in it",
            at: tree.range(of: value)), field, number, written)
        return false
      }
    }
    guard let finding = finding(field, value, number) else { return true }
    report(finding, field, number, written)
    return false
  }

  private func finding(_ field: Field, _ value: YAMLNode, _ number: Int) -> Finding? {
    let range = tree.range(of: value)
    switch field.type {
    case .arguments:
      guard number == 0 else { return nil }
      let isEmpty = tree.textLength(of: value) == 0
      return isEmpty ? InvalidValue.empty(field, at: range) : nil
    case .identifiers:
      let text = tree.text(of: value)
      if let mistake = IdentifierText.check(text) {
        return InvalidIdentifier.finding(mistake, of: field, at: range)
      }
      return IdentifierText.isWildcard(text) ? WildcardForm.reference(at: range) : nil
    case .words(let words):
      if words.contains(where: { tree.text(of: value, equals: $0.bytes) }) { return nil }
      return InvalidValue.word(tree.text(of: value), of: field, words: words, at: range)
    default:
      return nil
    }
  }

  private func report(_ finding: Finding, _ field: Field, _ number: Int, _ written: YAMLNode) {
    values.reporter.within(.key(field.name)) {
      values.reporter.within(.item(number)) { values.reporter.report(finding, about: written) }
    }
  }
}
