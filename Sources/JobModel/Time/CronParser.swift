/// Reads a cron expression into the masks of its calendar.
struct CronParser {
  typealias Mistake = CronExpression.Mistake

  /// The shorthands and the five fields that each stands for.
  private static let shorthands = [
    "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *",
  ]

  private let text: String
  let bytes: [UInt8]

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  /// The text in the one spelling of all that mean the same.
  var normalizedText: String {
    let fields = words.map { string($0).uppercased() }.joined(separator: " ")
    return Self.shorthands[fields.lowercased()] ?? fields
  }

  private var words: [Range<Int>] {
    split(0..<bytes.count, omittingEmpty: true, at: \.isASCIISpace)
  }

  func expression() throws(Mistake) -> CronExpression {
    let words = words
    guard let first = words.first else { throw .empty }
    if bytes[first.lowerBound] == UInt8(ascii: "@") {
      return try CronParser(shorthand(words)).expression(text: text)
    }
    return try expression(text: text)
  }

  private func expression(text: String) throws(Mistake) -> CronExpression {
    let words = words
    guard words.count == CronField.allCases.count else {
      throw .fieldCount(words.count, suggestion: fiveFields(words))
    }
    var fields: [CronFieldValue] = []
    for (field, word) in zip(CronField.allCases, words) {
      fields.append(try CronFieldParser(field, in: self, word).value())
    }
    try checkDays(fields[2], words[2], beside: fields[4])
    try checkDays(fields[4], words[4], beside: fields[2])
    return CronExpression(
      text: text,
      calendar: CronCalendar(
        minutes: fields[0].mask, hours: fields[1].mask,
        days: fields[2].isUnset ? nil : fields[2].mask, months: fields[3].mask,
        weekdays: fields[4].isUnset ? nil : fields[4].mask),
      followsRealTime: fields[0].beginsWithStar || fields[1].beginsWithStar)
  }

  /// The five fields that a shorthand stands for.
  private func shorthand(_ words: [Range<Int>]) throws(Mistake) -> String {
    let word = string(words[0])
    let name = word.lowercased()
    guard words.count == 1 else {
      throw .fieldCount(words.count, suggestion: Self.shorthands[name] == nil ? nil : name)
    }
    if name == "@reboot" { throw .reboot }
    guard let fields = Self.shorthands[name] else {
      let synonyms = ["@midnight": "@daily", "@annually": "@yearly"]
      throw .unknownShorthand(
        place(words[0]),
        suggestion: synonyms[name]
          ?? SpellingDistance.nearest(to: name, among: Self.shorthands.keys.sorted()))
    }
    return fields
  }

  /// Six fields of which the first says second 0 are five with one too many.
  private func fiveFields(_ words: [Range<Int>]) -> String? {
    guard words.count == 6, string(words[0]) == "0" else { return nil }
    let rest = words.dropFirst().map(string).joined(separator: " ")
    guard case .success = CronExpression.parse(rest) else { return nil }
    return rest
  }

  private func checkDays(
    _ field: CronFieldValue, _ word: Range<Int>, beside other: CronFieldValue
  ) throws(Mistake) {
    if field.hasSteppedStar, !other.isUnset { throw .ambiguousDays(place(word)) }
  }

  // MARK: Pieces of the text

  /// The pieces of a range between separators.
  func split(
    _ range: Range<Int>, omittingEmpty: Bool = false, at isSeparator: (UInt8) -> Bool
  ) -> [Range<Int>] {
    var pieces: [Range<Int>] = []
    pieces.reserveCapacity(CronField.allCases.count)
    var start = range.lowerBound
    for index in range where isSeparator(bytes[index]) {
      if index > start || !omittingEmpty { pieces.append(start..<index) }
      start = index + 1
    }
    if range.upperBound > start || !omittingEmpty { pieces.append(start..<range.upperBound) }
    return pieces
  }

  /// Whether a range holds exactly one byte, this one.
  func isSingle(_ range: Range<Int>, _ character: Unicode.Scalar) -> Bool {
    range.count == 1 && bytes[range.lowerBound] == UInt8(ascii: character)
  }

  /// The decimal number in a range; nil where anything else stands or it is beyond all fields.
  func number(_ range: Range<Int>) -> Int? {
    guard !range.isEmpty, range.count <= 9, isDigits(range) else { return nil }
    return bytes[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  func isDigits(_ range: Range<Int>) -> Bool {
    bytes[range].allSatisfy(\.isDecimalDigit)
  }

  func string(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  func place(_ range: Range<Int>) -> CronPlace {
    CronPlace(text: string(range), offset: range.lowerBound)
  }

  /// The whole text with one piece written differently.
  func replacing(_ range: Range<Int>, with replacement: String) -> String {
    string(0..<range.lowerBound) + replacement + string(range.upperBound..<bytes.count)
  }
}
