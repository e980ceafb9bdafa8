import JobModel
import YAMLSource

/// Reads the value behind a key by the key's description, and reports what is wrong with it.
final class ValueReader {
  let reporter: FindingReporter
  let environment: LoaderEnvironment
  let tree: YAMLTree
  var crons: [String: CronExpression] = [:]
  var zones: [String: TimeZoneRules] = [:]

  init(reporter: FindingReporter, environment: LoaderEnvironment) {
    self.reporter = reporter
    self.environment = environment
    tree = reporter.tree
  }

  /// The content of a value; groups aren't read here.
  func content(of field: Field, _ written: YAMLNode) -> Setting.Content {
    let value = tree.resolved(written)
    switch tree.kind(of: value) {
    case .unread, .alias:
      return .unusable
    case .scalar:
      return scalar(field, value, written)
    case .sequence:
      return sequence(field, value, written)
    case .mapping:
      return mapping(field, value, written)
    }
  }

  // MARK: Scalars

  private func scalar(_ field: Field, _ value: YAMLNode, _ written: YAMLNode) -> Setting.Content {
    // Words come first: a good one is found without a look at the type, whose copy would count
    // references.
    if let number = field.words?.number(of: value, in: tree) { return .word(number) }
    switch field.type {
    case .boolean:
      if let content = plainBoolean(value) { return content }
      return boolean(field, value, written)
    case .idleness:
      if let content = plainBoolean(value) { return content }
      return idleness(field, value, written)
    case .integer(let range):
      return integer(field, range, value, written)
    case .percent:
      return integer(field, 0...100, value, written)
    case .version:
      return version(field, value, written)
    case .word(let words):
      return word(field, words, value, written)
    case .duration(let least, let most, let orWord):
      return duration(field, least, most, orWord, value, written)
    case .size, .freeSpace:
      return size(field, value, written)
    case .text:
      return isText(field, value, written) ? .text : .unusable
    case .name, .path:
      return name(field, value, written)
    case .jobIdentifier, .appIdentifier:
      return isText(field, value, written) ? identifier(field, value, written) : .unusable
    case .cron:
      return cron(field, value, written)
    case .timeZone:
      return timeZone(field, value, written)
    case .arguments where isFilled(value):
      reporter.report(
        WrongType.command(tree.text(of: value), of: field, at: tree.range(of: value)),
        about: written, under: field.name)
      return .unusable
    case .arguments, .identifiers, .words, .environment, .parameters, .group, .defaults, .jobs:
      return wrongType(field, value, written)
    }
  }

  // MARK: Collections

  private func sequence(
    _ field: Field, _ value: YAMLNode, _ written: YAMLNode
  ) -> Setting.Content {
    switch field.type {
    case .arguments, .identifiers, .words:
      return ListReader(values: self).content(of: field, value, written)
    case .jobs:
      return .list
    default:
      return wrongType(field, value, written)
    }
  }

  private func mapping(_ field: Field, _ value: YAMLNode, _ written: YAMLNode) -> Setting.Content {
    switch field.type {
    case .environment: VariableReader(values: self).content(of: field, value, written)
    case .parameters: ParameterReader(values: self).content(of: field, value)
    case .group, .defaults, .freeSpace: .mapping
    default: wrongType(field, value, written)
    }
  }

  // MARK: Types

  /// Whether a scalar may stand as text; reports why not. Plain `5`, `true` and dates may.
  func isText(_ field: Field, _ value: YAMLNode, _ written: YAMLNode) -> Bool {
    if tree.isLongText(value) { return true }
    if !tree.hasTag(value) {
      if tree.style(of: value) != .plain || isFilled(value) { return true }
    } else {
      switch ScalarForm(of: value, in: tree) {
      case .foreignTag, .null: break
      default: return true
      }
    }
    _ = wrongType(field, value, written)
    return false
  }

  /// Whether a scalar is anything but null.
  func isFilled(_ value: YAMLNode) -> Bool {
    if tree.isLongText(value) { return true }
    // `~` and `null` are the only words for nothing: other lengths needn't be looked at.
    switch tree.textLength(of: value) {
    case 0: return tree.style(of: value) != .plain
    case 1, 4: return !isNullWord(value)
    default: return true
    }
  }

  private func isNullWord(_ value: YAMLNode) -> Bool {
    if tree.hasTag(value) { return ScalarForm(of: value, in: tree) == .null }
    return tree.style(of: value) == .plain
      && ScalarForm.nullWords.contains { tree.text(of: value, equals: $0) }
  }

  func wrongType(_ field: Field, _ value: YAMLNode, _ written: YAMLNode) -> Setting.Content {
    // Where reading stopped inside the value, that is what is wrong with it.
    if tree.isCut(value) { return .unusable }
    reporter.report(
      WrongType.finding(
        field.name, wants: field.type.expectation, found: found(value), at: tree.range(of: value),
        hint: hint(field, value)),
      about: written, under: field.name)
    return .unusable
  }

  /// What to write instead; nil where the expectation says it all.
  private func hint(_ field: Field, _ value: YAMLNode) -> String? {
    guard case .boolean = field.type else { return "write '\(field.example)'" }
    guard tree.kind(of: value) == .scalar else { return nil }
    switch ScalarForm(of: value, in: tree) {
    case .integer(0): return "write false"
    case .integer(1): return "write true"
    default: return nil
    }
  }

  /// What stands there, as it reads behind "found".
  func found(_ value: YAMLNode) -> String {
    switch tree.kind(of: value) {
    case .mapping: "a mapping"
    case .sequence: "a list"
    case .scalar:
      ScalarForm(of: value, in: tree).found(
        tree.text(of: value).shortened, style: tree.style(of: value))
    case .alias, .unread: "nothing"
    }
  }
}
