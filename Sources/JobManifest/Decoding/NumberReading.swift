import JobModel
import YAMLSource

// Booleans and whole numbers, by the core rules and never those of YAML 1.1.
extension ValueReader {
  func plainBoolean(_ value: YAMLNode) -> Setting.Content? {
    guard tree.style(of: value) == .plain, !tree.hasTag(value) else { return nil }
    if tree.text(of: value, equals: ScalarWords.trueText) { return .boolean(true) }
    if tree.text(of: value, equals: ScalarWords.falseText) { return .boolean(false) }
    return nil
  }

  func boolean(_ field: Field, _ value: YAMLNode, _ written: YAMLNode) -> Setting.Content {
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
      reporter.report(
        WrongType.finding(
          field.name, wants: expectation,
          found: isTagged ? "the text '\(text)', by its tag" : found(value), at: range,
          hint: isTagged ? "remove the tag" : isQuoted ? "remove the quotes" : "write \(plain)",
          replacement: plain),
        about: written, under: field.name)
      return .unusable
    default:
      return wrongType(field, value, written)
    }
  }

  func idleness(_ field: Field, _ value: YAMLNode, _ written: YAMLNode) -> Setting.Content {
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

  /// The number of a few plain digits, as nearly all are written; anything else takes the long way.
  private func plainInteger(_ value: YAMLNode) -> Int? {
    guard tree.style(of: value) == .plain, !tree.hasTag(value) else { return nil }
    return tree.withText(of: value) { digits in
      guard (1...9).contains(digits.count), digits.count == 1 || digits[0] != UInt8(ascii: "0")
      else { return nil }
      var number = 0
      for index in digits.indices {
        let digit = digits[index] &- UInt8(ascii: "0")
        guard digit <= 9 else { return nil }
        number = 10 * number + Int(digit)
      }
      return number
    }
  }

  func integer(
    _ field: Field, _ bounds: ClosedRange<Int>, _ value: YAMLNode, _ written: YAMLNode
  ) -> Setting.Content {
    if let number = plainInteger(value), bounds.contains(number) { return .integer(number) }
    let text = tree.text(of: value)
    let range = tree.range(of: value)
    let finding: Finding
    switch ScalarForm(of: value, in: tree) {
    case .integer(let number) where bounds.contains(number):
      return .integer(number)
    case .integer, .hugeInteger:
      finding = OutOfRange.integer(text, for: field, at: range)
    case .oldInteger(let meanings):
      finding = AmbiguousScalar.integer(text, meanings: meanings, for: field, at: range)
    case .float:
      finding = AmbiguousScalar.float(text, for: field, at: range)
    case .text where Int(text) != nil && tree.style(of: value) != .plain:
      finding = WrongType.finding(
        field.name, wants: field.type.expectation, found: found(value), at: range,
        hint: "remove the quotes", replacement: text)
    case .text where text.hasSuffix("%") && Int(text.dropLast()) != nil:
      finding = WrongType.finding(
        field.name, wants: field.type.expectation, found: found(value), at: range,
        hint: "write \(text.dropLast())", replacement: String(text.dropLast()))
    default:
      return wrongType(field, value, written)
    }
    reporter.report(finding, about: written, under: field.name)
    return .unusable
  }

  func version(_ field: Field, _ value: YAMLNode, _ written: YAMLNode) -> Setting.Content {
    let content = integer(field, Int.min...Int.max, value, written)
    if case .integer(let number) = content, number != 1 {
      reporter.report(
        InvalidValue.version(number, at: tree.range(of: value)), about: written, under: field.name)
      return .unusable
    }
    return content
  }
}

private enum ScalarWords {
  static let trueText = ContiguousArray("true".utf8)
  static let falseText = ContiguousArray("false".utf8)
}
