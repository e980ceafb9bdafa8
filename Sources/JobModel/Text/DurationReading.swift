/// Finds the mistake in a text that is no duration, and works out what it was meant to say.
struct DurationReading {
  private let parts: MeasureParts

  init(_ parts: MeasureParts) {
    self.parts = parts
  }

  /// The first mistake; a text without any other one is too long a duration.
  func mistake(in text: some StringProtocol) -> DurationText.Mistake {
    if let stray = parts.strayOffset { return strayMistake(in: text, at: stray) }
    guard let first = parts.parts.first else { return .empty }
    if parts.parts.count == 1, first.unit.isEmpty, first.isWhole {
      return .bareNumber(suggestion: parts.text(first.number).withoutLeadingZeros + "s")
    }
    var previous: DurationText.Unit?
    for part in parts.parts {
      if let mistake = mistake(of: part, after: previous) { return mistake }
      previous = DurationText.Unit(text: parts.text(part.unit))
    }
    if let space = parts.spaceOffset { return .space(offset: space, suggestion: meant) }
    return .overflow
  }

  private func mistake(
    of part: MeasureParts.Part, after previous: DurationText.Unit?
  ) -> DurationText.Mistake? {
    let name = parts.text(part.unit)
    let offset = part.unit.lowerBound
    if part.unit.isEmpty {
      let length = max(part.number.upperBound, part.fraction.upperBound) - part.start
      return .missingUnit(offset: part.start, length: length, suggestion: meant)
    }
    guard let unit = DurationText.Unit(text: name) else {
      return .unknownUnit(name, offset: offset, suggestion: meant)
    }
    if part.number.isEmpty { return .missingNumber(unit: name, offset: offset) }
    if !part.isWhole {
      let length = part.fraction.upperBound - part.start
      return .fraction(offset: part.start, length: length, suggestion: meant)
    }
    guard let previous else { return nil }
    if unit == previous { return .repeatedUnit(unit: name, offset: offset, suggestion: meant) }
    if unit.rawValue < previous.rawValue {
      return .unitOrder(unit: name, offset: offset, suggestion: meant)
    }
    return nil
  }

  private func strayMistake(
    in text: some StringProtocol, at offset: Int
  ) -> DurationText.Mistake {
    let bytes = text.utf8
    let index = bytes.index(bytes.startIndex, offsetBy: offset)
    if bytes[index] == UInt8(ascii: "-"), parts.parts.isEmpty {
      let positive = text[bytes.index(after: index)...]
      let isDuration = (try? DurationText.parse(positive).get()) != nil
      return .negative(suggestion: isDuration ? String(positive) : nil)
    }
    if bytes[index] == UInt8(ascii: ":"), let seconds = Self.sexagesimalSeconds(text) {
      let canonical = DurationText.format(.seconds(seconds))
      let plain = "\(seconds)s"
      return .sexagesimal(suggestion: canonical.count <= plain.count ? canonical : plain)
    }
    return .unexpected(String(text[index]), offset: offset)
  }

  /// `1:30` and `1:30:00` as YAML 1.1 read them: in base sixty.
  private static func sexagesimalSeconds(_ text: some StringProtocol) -> Int64? {
    let groups = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(groups.count) else { return nil }
    var total: Int64 = 0
    for group in groups {
      guard (1...4).contains(group.utf8.count), group.utf8.allSatisfy(\.isDecimalDigit),
        let value = Int64(group)
      else { return nil }
      total = total * 60 + value
    }
    return total
  }

  /// The whole text as it was meant; nil when a part can't be understood.
  private var meant: String? {
    var total: Int64 = 0
    var written = ""
    var previous: DurationText.Unit?
    var isCanonical = true
    for part in parts.parts {
      guard let (unit, milliseconds) = meantUnit(of: part, after: previous),
        let value = parts.value(part, unit: milliseconds),
        value <= DurationText.longestMilliseconds - total
      else { return nil }
      total += value
      isCanonical =
        isCanonical && part.isWhole && milliseconds == unit.milliseconds
        && (previous.map { $0.rawValue < unit.rawValue } ?? true)
      written += parts.text(part.number).withoutLeadingZeros + unit.text
      previous = unit
    }
    return isCanonical ? written : DurationText.format(.milliseconds(total))
  }

  /// The unit that a part's author meant, with the milliseconds of one of what they wrote.
  private func meantUnit(
    of part: MeasureParts.Part, after previous: DurationText.Unit?
  ) -> (DurationText.Unit, Int64)? {
    if part.unit.isEmpty {
      // `1h30` continues with the next smaller unit.
      guard let previous, let next = DurationText.Unit(rawValue: previous.rawValue + 1) else {
        return nil
      }
      return (next, next.milliseconds)
    }
    let name = parts.text(part.unit)
    if let unit = DurationText.Unit(text: name) { return (unit, unit.milliseconds) }
    switch name.lowercased() {
    case "ms", "msec", "msecs", "millis", "millisecond", "milliseconds":
      return (.millisecond, 1)
    case "s", "sec", "secs", "second", "seconds": return (.second, 1000)
    case "m", "min", "mins", "minute", "minutes": return (.minute, 60_000)
    case "h", "hr", "hrs", "hour", "hours": return (.hour, 3_600_000)
    case "d", "day", "days": return (.day, 86_400_000)
    case "w", "week", "weeks": return (.day, 7 * 86_400_000)
    default: return nil
    }
  }
}

extension String {
  /// The digits as a person writes a number: `007` is 7, `0` stays.
  fileprivate var withoutLeadingZeros: String {
    let digits = drop { $0 == "0" }
    return digits.isEmpty ? "0" : String(digits)
  }
}
