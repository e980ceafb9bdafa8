import JobModel
import YAMLSource

// Durations and sizes.
extension ValueReader {
  func duration(
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

  func rangeProblem(
    _ field: Field, _ value: Duration, _ least: Duration, _ most: Duration?, _ range: ByteRange
  ) -> Finding? {
    if value < least { return OutOfRange.tooShort(least, for: field, at: range) }
    if let most, value > most { return OutOfRange.tooLong(most, for: field, at: range) }
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
          ? InvalidSize.finding(mistake, at: range)
          : InvalidSize.noNumber(text, of: field, at: range),
        about: written, under: field.name)
      return .unusable
    }
  }

  private static func holdsDigit(_ text: String) -> Bool {
    text.utf8.contains { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
  }
}
