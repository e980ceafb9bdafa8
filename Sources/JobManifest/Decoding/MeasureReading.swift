import JobModel
import YAMLSource

// Durations and sizes.
extension ValueReader {
  func duration(
    _ field: Field, _ least: Duration, _ most: Duration?, _ orWord: String?, _ value: YAMLNode,
    _ written: YAMLNode
  ) -> Setting.Content {
    let range = tree.range(of: value)
    if let duration = tree.withText(of: value, { DurationText.duration($0) }) {
      guard isText(field, value, written) else { return .unusable }
      guard let problem = rangeProblem(field, duration, least, most, range) else {
        return .duration(duration)
      }
      reporter.report(problem, about: written, under: field.name)
      return .unusable
    }
    let text = tree.text(of: value)
    if let orWord, text == orWord { return .noLimit }
    guard isText(field, value, written) else { return .unusable }
    reporter.report(
      durationMistake(field, orWord, value, range), about: written, under: field.name)
    return .unusable
  }

  private func durationMistake(
    _ field: Field, _ orWord: String?, _ value: YAMLNode, _ range: ByteRange
  ) -> Finding {
    let text = tree.text(of: value)
    if let orWord, let word = SpellingDistance.nearest(to: text, among: [orWord]) {
      return InvalidValue.nearWord(word, of: field, text: text, at: range)
    }
    return Self.holdsDigit(text)
      ? InvalidDuration.finding(DurationText.mistake(in: text), of: field, at: range)
      : InvalidDuration.noNumber(found(value), of: field, at: range)
  }

  func rangeProblem(
    _ field: Field, _ value: Duration, _ least: Duration, _ most: Duration?, _ range: ByteRange
  ) -> Finding? {
    if value < least { return OutOfRange.tooShort(least, for: field, found: value, at: range) }
    if let most, value > most {
      return OutOfRange.tooLong(most, for: field, found: value, at: range)
    }
    return nil
  }

  func size(_ field: Field, _ value: YAMLNode, _ written: YAMLNode) -> Setting.Content {
    guard isText(field, value, written) else { return .unusable }
    let text = tree.text(of: value)
    let range = tree.range(of: value)
    switch SizeText.parse(text) {
    case .success(let bytes): return .size(bytes)
    case .failure(let mistake):
      reporter.report(
        Self.holdsDigit(text)
          ? InvalidSize.finding(mistake, of: field, at: range)
          : InvalidSize.noNumber(found(value), of: field, at: range),
        about: written, under: field.name)
      return .unusable
    }
  }

  private static func holdsDigit(_ text: String) -> Bool {
    text.utf8.contains { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
  }
}
