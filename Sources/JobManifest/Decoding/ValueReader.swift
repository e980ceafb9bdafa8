import JobModel
import YAMLSource

/// Reads the value behind a key by the key's description, and reports what is wrong with it.
final class ValueReader {
  let reporter: FindingReporter
  let environment: LoaderEnvironment
  private let tree: YAMLTree
  private var durations: [String: Duration] = [:]
  private var crons: [String: CronExpression] = [:]
  private var zones: [String: TimeZoneRules] = [:]

  private static let trueText = ContiguousArray("true".utf8)
  private static let falseText = ContiguousArray("false".utf8)

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
    switch field.type {
    case .boolean:
      if let content = plainBoolean(value) { return content }
      return boolean(field, value, written)
    case .idleness:
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
        WrongType.command(tree.text(of: value), at: tree.range(of: value)), about: written,
        under: field.name)
      return .unusable
    case .arguments, .identifiers, .words, .environment, .parameters, .group, .defaults, .jobs:
      return wrongType(field, value, written)
    }
  }

  private func plainBoolean(_ value: YAMLNode) -> Setting.Content? {
    guard tree.style(of: value) == .plain, !tree.hasTag(value) else { return nil }
    if tree.text(of: value, equals: Self.trueText) { return .boolean(true) }
    if tree.text(of: value, equals: Self.falseText) { return .boolean(false) }
    return nil
  }

  private func boolean(_ field: Field, _ value: YAMLNode, _ written: YAMLNode) -> Setting.Content {
    let text = tree.text(of: value)
    let range = tree.range(of: value)
    let expectation = field.type.expectation
    switch ScalarForm(of: value, in: tree) {
    case .boolean(let value):
      return .boolean(value)
    case .oldBoolean(let meaning):
      reporter.report(
        AmbiguousScalar.boolean(
          field, wants: expectation, text: text, meaning: meaning, at: range),
        about: written, under: field.name)
      return .unusable
    case .text where ["true", "false"].contains(text.lowercased()):
      // Quotes, or letters of both cases.
      let plain = text.lowercased()
      let isTagged = tree.hasTag(value)
      let isQuoted = tree.style(of: value) != .plain
      let found = isTagged ? "a text by its tag" : isQuoted ? "a quoted string" : "'\(text)'"
      reporter.report(
        WrongType.finding(
          field.name, wants: expectation, found: found, at: range,
          hint: isTagged ? "remove the tag" : isQuoted ? "remove the quotes" : "write \(plain)",
          replacement: plain),
        about: written, under: field.name)
      return .unusable
    default:
      return wrongType(field, value, written)
    }
  }

  private func idleness(_ field: Field, _ value: YAMLNode, _ written: YAMLNode) -> Setting.Content {
    let form = ScalarForm(of: value, in: tree)
    let text = tree.text(of: value)
    switch form {
    case .boolean, .oldBoolean, .null:
      return boolean(field, value, written)
    case .text where ["true", "false"].contains(text.lowercased()):
      return boolean(field, value, written)
    default:
      return duration(field, .milliseconds(1), nil, nil, value, written)
    }
  }

  private func integer(
    _ field: Field, _ bounds: ClosedRange<Int>, _ value: YAMLNode, _ written: YAMLNode
  ) -> Setting.Content {
    let text = tree.text(of: value)
    let range = tree.range(of: value)
    let finding: Finding
    switch ScalarForm(of: value, in: tree) {
    case .integer(let number) where bounds.contains(number):
      return .integer(number)
    case .integer, .hugeInteger:
      finding = OutOfRange.integer(text, for: field, at: range)
    case .oldInteger(let meanings):
      finding = AmbiguousScalar.integer(text, meanings: meanings, at: range)
    case .float:
      finding = AmbiguousScalar.float(text, for: field, at: range)
    case .text where Int(text) != nil && tree.style(of: value) != .plain:
      finding = WrongType.finding(
        field.name, wants: field.type.expectation, found: "a quoted string", at: range,
        hint: "remove the quotes", replacement: text)
    case .text where text.hasSuffix("%") && Int(text.dropLast()) != nil:
      finding = WrongType.finding(
        field.name, wants: field.type.expectation, found: "'\(text)'", at: range,
        hint: "write \(text.dropLast())", replacement: String(text.dropLast()))
    default:
      return wrongType(field, value, written)
    }
    reporter.report(finding, about: written, under: field.name)
    return .unusable
  }

  private func version(_ field: Field, _ value: YAMLNode, _ written: YAMLNode) -> Setting.Content {
    let content = integer(field, Int.min...Int.max, value, written)
    if case .integer(let number) = content, number != 1 {
      reporter.report(
        InvalidValue.version(number, at: tree.range(of: value)), about: written, under: field.name)
      return .unusable
    }
    return content
  }

  private func word(
    _ field: Field, _ words: [ValueType.Word], _ value: YAMLNode, _ written: YAMLNode
  ) -> Setting.Content {
    for (number, word) in words.enumerated() where tree.text(of: value, equals: word.bytes) {
      return .word(number)
    }
    guard isText(field, value, written) else { return .unusable }
    reporter.report(
      InvalidValue.word(
        tree.text(of: value), of: field, words: words, at: tree.range(of: value)),
      about: written, under: field.name)
    return .unusable
  }

  private func duration(
    _ field: Field, _ least: Duration, _ most: Duration?, _ orWord: String?, _ value: YAMLNode,
    _ written: YAMLNode
  ) -> Setting.Content {
    let text = tree.text(of: value)
    if let orWord, text == orWord { return .noLimit }
    let finding: Finding
    if let known = durations[text] {
      guard let problem = rangeProblem(field, known, least, most, tree.range(of: value)) else {
        return .duration(known)
      }
      finding = problem
    } else {
      guard isText(field, value, written) else { return .unusable }
      switch DurationText.parse(text) {
      case .success(let duration):
        durations[text] = duration
        return self.duration(field, least, most, orWord, value, written)
      case .failure(let mistake):
        let range = tree.range(of: value)
        let near = orWord.flatMap { SpellingDistance.nearest(to: text, among: [$0]) }
        finding =
          near.map { word in
            InvalidValue.nearWord(word, of: field, text: text, at: range)
          }
          ?? (Self.holdsDigit(text)
            ? InvalidDuration.finding(mistake, at: range)
            : InvalidDuration.noNumber(text, of: field, at: range))
      }
    }
    reporter.report(finding, about: written, under: field.name)
    return .unusable
  }

  private func rangeProblem(
    _ field: Field, _ value: Duration, _ least: Duration, _ most: Duration?, _ range: ByteRange
  ) -> Finding? {
    if value < least { return OutOfRange.tooShort(least, for: field, at: range) }
    if let most, value > most { return OutOfRange.tooLong(most, for: field, at: range) }
    return nil
  }

  private func size(_ field: Field, _ value: YAMLNode, _ written: YAMLNode) -> Setting.Content {
    guard isText(field, value, written) else { return .unusable }
    let text = tree.text(of: value)
    let range = tree.range(of: value)
    switch SizeText.parse(text) {
    case .success(let bytes): return .size(bytes)
    case .failure(let mistake):
      reporter.report(
        Self.holdsDigit(text)
          ? InvalidSize.finding(mistake, at: range)
          : InvalidSize.noNumber(text, of: field, at: range),
        about: written, under: field.name)
      return .unusable
    }
  }

  private static func holdsDigit(_ text: String) -> Bool {
    text.utf8.contains { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
  }

  private func name(_ field: Field, _ value: YAMLNode, _ written: YAMLNode) -> Setting.Content {
    guard isText(field, value, written) else { return .unusable }
    let text = tree.text(of: value)
    let range = tree.range(of: value)
    if text.allSatisfy(\.isWhitespace) {
      reporter.report(InvalidValue.empty(field, at: range), about: written, under: field.name)
      return .unusable
    }
    if case .path = field.type, text.hasPrefix("~") || text.contains("$") {
      reporter.report(InvalidValue.homeFolder(field, at: range), about: written, under: field.name)
      return .unusable
    }
    return .text
  }

  private func identifier(
    _ field: Field, _ value: YAMLNode, _ written: YAMLNode
  ) -> Setting.Content {
    let text = tree.text(of: value)
    let range = tree.range(of: value)
    guard let mistake = IdentifierText.check(text) else {
      if case .appIdentifier = field.type, IdentifierText.isWildcard(text) {
        reporter.report(
          WildcardForm.kind(at: range), about: written, under: field.name)
        return .unusable
      }
      return .text
    }
    if case .misplacedWildcard = mistake {
      reporter.report(
        WildcardForm.misplacedStar(mistake, at: range), about: written, under: field.name)
    } else {
      reporter.report(
        InvalidIdentifier.finding(mistake, at: range), about: written, under: field.name)
    }
    return .unusable
  }

  private func cron(_ field: Field, _ value: YAMLNode, _ written: YAMLNode) -> Setting.Content {
    guard isText(field, value, written) else { return .unusable }
    let text = tree.text(of: value)
    if crons[text] != nil { return .text }
    switch CronExpression.parse(text) {
    case .success(let expression):
      crons[text] = expression
      return .text
    case .failure(let mistake):
      var range = tree.range(of: value)
      if let offset = mistake.offset {
        let length = mistake.length ?? text.utf8.count - offset
        range = tree.range(inTextOf: value, at: offset, length: length)
      }
      reporter.report(InvalidCron.finding(mistake, at: range), about: written, under: field.name)
      return .unusable
    }
  }

  private func timeZone(_ field: Field, _ value: YAMLNode, _ written: YAMLNode) -> Setting.Content {
    guard isText(field, value, written) else { return .unusable }
    let name = tree.text(of: value)
    if zones[name] != nil { return .text }
    guard let zone = environment.timeZone(name) else {
      reporter.report(
        UnknownTimeZone.finding(
          name, known: environment.timeZoneNames(), at: tree.range(of: value)),
        about: written, under: field.name)
      return .unusable
    }
    zones[name] = zone
    return .text
  }

  /// The expression behind a setting that was read as one.
  func cron(_ setting: Setting) -> CronExpression? { crons[tree.text(of: setting.value)] }

  /// The zone behind a setting that was read as one.
  func timeZone(_ setting: Setting) -> TimeZoneRules? { zones[tree.text(of: setting.value)] }

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
    tree.withText(of: value) { text in
      switch text.count {
      case 0: return tree.style(of: value) != .plain
      case 1: return text[0] != UInt8(ascii: "~") || tree.style(of: value) != .plain
      case 4:
        guard text[0] | 0x20 == UInt8(ascii: "n") else { return true }
        return ScalarForm(of: value, in: tree) != .null
      default: return true
      }
    }
  }

  func wrongType(_ field: Field, _ value: YAMLNode, _ written: YAMLNode) -> Setting.Content {
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
