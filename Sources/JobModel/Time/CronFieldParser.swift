/// What one field of a cron expression says.
struct CronFieldValue {
  /// Bit n: the value n matches.
  var mask: UInt64
  /// Whether the field is a bare `*`.
  var isUnset: Bool
  /// Whether the field's text begins with `*` (PL8: such patterns follow real time).
  var beginsWithStar: Bool
  /// Whether the field holds `*/n`.
  var hasSteppedStar: Bool
}

/// Reads one field: a list of values, ranges and steps.
struct CronFieldParser {
  typealias Mistake = CronExpression.Mistake

  private let field: CronField
  private let parser: CronParser
  private let word: Range<Int>

  init(_ field: CronField, in parser: CronParser, _ word: Range<Int>) {
    self.field = field
    self.parser = parser
    self.word = word
  }

  func value() throws(Mistake) -> CronFieldValue {
    let isUnset = parser.isSingle(word, "*")
    var value = CronFieldValue(
      mask: isUnset ? mask(of: field.all, step: 1) : 0, isUnset: isUnset,
      beginsWithStar: parser.bytes[word.lowerBound] == UInt8(ascii: "*"), hasSteppedStar: false)
    guard !isUnset else { return value }
    let items = parser.split(word, at: { $0 == UInt8(ascii: ",") })
    for item in items {
      if items.count > 1, parser.isSingle(item, "*") {
        throw .starInList(parser.place(item), suggestion: parser.replacing(word, with: "*"))
      }
      value.mask |= try mask(item)
      // What begins with a star and was read is a star with a step.
      value.hasSteppedStar =
        value.hasSteppedStar || parser.bytes[item.lowerBound] == UInt8(ascii: "*")
    }
    return value
  }

  private func mask(_ item: Range<Int>) throws(Mistake) -> UInt64 {
    // Most items are one number.
    if let number = parser.number(item), field.writable.contains(number) {
      return mask(of: number...number, step: 1)
    }
    guard !item.isEmpty else { throw .emptyItem(field, parser.place(item)) }
    try refuseForeign(item)
    let pieces = parser.split(item, at: { $0 == UInt8(ascii: "/") })
    guard pieces.count <= 2 else { throw .step(parser.place(item)) }
    let (range, isSingle) = try range(pieces[0])
    guard pieces.count == 2 else { return mask(of: range, step: 1) }
    guard let step = parser.number(pieces[1]), step >= 1 else {
      throw .step(parser.place(pieces[1]))
    }
    if isSingle {
      let text = "\(parser.string(pieces[0]))-\(field.all.upperBound)/\(step)"
      throw .stepOfValue(
        parser.place(item), suggestion: parser.replacing(item, with: text))
    }
    if step > range.upperBound - range.lowerBound, step > 1 {
      throw .wideStep(
        field, parser.place(pieces[1]),
        suggestion: parser.replacing(item, with: "\(range.lowerBound)"))
    }
    return mask(of: range, step: step)
  }

  /// `*`, `a` or `a-b`.
  private func range(
    _ piece: Range<Int>
  ) throws(Mistake) -> (ClosedRange<Int>, isSingle: Bool) {
    if parser.isSingle(piece, "*") { return (field.all, false) }
    let ends = parser.split(piece, at: { $0 == UInt8(ascii: "-") })
    guard ends.count <= 2 else {
      throw .value(field, parser.place(piece), suggestion: nil)
    }
    let first = try number(ends[0])
    guard ends.count == 2 else { return (first...first, true) }
    var last = try number(ends[1])
    // A range may end with the Sunday after its first day: `FRI-SUN`.
    if field == .dayOfWeek, last == 0, first > 0, !parser.isDigits(ends[1]) { last = 7 }
    guard first <= last else {
      throw .reversedRange(field, parser.place(piece), suggestion: wrapped(piece, first, last))
    }
    return (first...last, false)
  }

  /// A range that ends before it begins, as the two ranges that it means around the field's end.
  private func wrapped(_ piece: Range<Int>, _ first: Int, _ last: Int) -> String {
    let text = { (low: Int, high: Int) in low == high ? "\(low)" : "\(low)-\(high)" }
    let all = field.all
    if field == .dayOfWeek, last == 0 { return parser.replacing(piece, with: text(first, 7)) }
    return parser.replacing(
      piece, with: "\(text(first, all.upperBound)),\(text(all.lowerBound, last))")
  }

  private func number(_ piece: Range<Int>) throws(Mistake) -> Int {
    guard !piece.isEmpty else { throw .emptyItem(field, parser.place(piece)) }
    if parser.isDigits(piece) {
      guard let number = parser.number(piece), field.writable.contains(number) else {
        throw .outOfRange(field, parser.place(piece))
      }
      return number
    }
    // Without the bit that makes a letter small.
    let capitals = parser.bytes[piece].lazy.map { $0 & 0xdf }
    guard let index = field.names.firstIndex(where: { $0.utf8.elementsEqual(capitals) }) else {
      let text = parser.string(piece)
      // Most words that aren't names begin with one: Monday, june.
      let name = text.utf8.count > 3 ? field.names.first { text.uppercased().hasPrefix($0) } : nil
      throw .value(
        field, parser.place(piece), suggestion: name.map { parser.replacing(piece, with: $0) })
    }
    return index + field.all.lowerBound
  }

  /// Signs of other schedulers: `?`, `L`, `15W`, `MON#2`, `FRIL`.
  private func refuseForeign(_ item: Range<Int>) throws(Mistake) {
    guard parser.bytes[item].contains(where: Self.isForeignSign) else { return }
    let text = parser.string(item).uppercased()
    if text == "?" {
      throw .foreign(
        field, parser.place(item), suggestion: parser.replacing(item, with: "*"))
    }
    guard field == .dayOfMonth || field == .dayOfWeek else { return }
    let hasNumberedWeekday = text.utf8.contains(UInt8(ascii: "#"))
    let withoutLast = text.hasSuffix("L") || text.hasSuffix("W") ? String(text.dropLast()) : nil
    let isLast = withoutLast.map { rest in
      rest.isEmpty || rest == "L" || Int(rest) != nil || field.names.contains(rest)
    }
    if hasNumberedWeekday || isLast == true || text.hasPrefix("L-") {
      throw .foreign(field, parser.place(item), suggestion: nil)
    }
  }

  private static func isForeignSign(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "?"), UInt8(ascii: "#"): true
    case UInt8(ascii: "L"), UInt8(ascii: "l"), UInt8(ascii: "W"), UInt8(ascii: "w"): true
    default: false
    }
  }

  private func mask(of range: ClosedRange<Int>, step: Int) -> UInt64 {
    if step == 1, range.upperBound < 7 || field != .dayOfWeek { return CronCalendar.bits(range) }
    var mask: UInt64 = 0
    for value in stride(from: range.lowerBound, through: range.upperBound, by: step) {
      mask |= 1 << UInt64(field == .dayOfWeek ? value % 7 : value)
    }
    return mask
  }
}
