/// Instants as text by RFC 3339: `2024-03-10T07:30:00.000Z`.
package enum RFC3339 {
  /// Writes an instant with an offset from UTC in seconds and 0 to 6 digits of a second.
  ///
  /// Digits that aren't asked for are cut off, never rounded up. RFC 3339 has no seconds in an
  /// offset, so an offset that has some is shown, and applied, in whole minutes.
  package static func format(
    _ instant: WallInstant, offset: Int = 0, fractionDigits: Int = 3
  ) -> String {
    let minutes = offset / 60
    let (seconds, microseconds) = Int(instant.microseconds).flooredDivision(by: 1_000_000)
    let local = CivilDateTime(secondsSinceEpoch: seconds + minutes * 60)
    // As bytes: each line of a log begins with an instant.
    var text: [UInt8] = []
    text.reserveCapacity(32)
    if local.date.year < 0 || local.date.year > 9999 {
      text.append(UInt8(ascii: local.date.year < 0 ? "-" : "+"))
    }
    text.append(abs(local.date.year), digits: 4)
    text.append(local.date.month, digits: 2, behind: "-")
    text.append(local.date.day, digits: 2, behind: "-")
    text.append(local.hour, digits: 2, behind: "T")
    text.append(local.minute, digits: 2, behind: ":")
    text.append(local.second, digits: 2, behind: ":")
    let digits = min(max(fractionDigits, 0), 6)
    if digits > 0 {
      text.append(microseconds, digits: 6, behind: ".")
      text.removeLast(6 - digits)
    }
    if minutes == 0 {
      text.append(UInt8(ascii: "Z"))
    } else {
      text.append(abs(minutes) / 60, digits: 2, behind: minutes < 0 ? "-" : "+")
      text.append(abs(minutes) % 60, digits: 2, behind: ":")
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads an instant; nil when the text isn't one.
  ///
  /// Digits below a microsecond are cut off; a leap second is the second after it.
  package static func parse(_ text: some StringProtocol) -> WallInstant? {
    var reader = DigitReader(text)
    guard let year = reader.number(digits: 4), reader.skip("-"),
      let month = reader.number(digits: 2), reader.skip("-"),
      let day = reader.number(digits: 2), let date = CivilDate(year: year, month: month, day: day),
      reader.skip("Tt "),
      let hour = reader.number(digits: 2), reader.skip(":"),
      let minute = reader.number(digits: 2), reader.skip(":"),
      let second = reader.number(digits: 2), second <= 60,
      let time = CivilDateTime(date: date, hour: hour, minute: minute, second: min(second, 59))
    else { return nil }
    var microseconds = 0
    if reader.skip(".") {
      guard let fraction = reader.fraction() else { return nil }
      microseconds = fraction
    }
    guard let offset = offset(&reader), reader.isAtEnd else { return nil }
    let seconds = time.secondsSinceEpoch + (second == 60 ? 1 : 0) - offset
    return WallInstant(microseconds: Int64(seconds * 1_000_000 + microseconds))
  }

  private static func offset(_ reader: inout DigitReader) -> Int? {
    if reader.skip("Zz") { return 0 }
    let isWest = reader.skip("-")
    guard isWest || reader.skip("+"),
      let hours = reader.number(digits: 2), hours <= 23, reader.skip(":"),
      let minutes = reader.number(digits: 2), minutes <= 59
    else { return nil }
    return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
  }
}

/// Reads a text of fixed fields from its start.
private struct DigitReader {
  private var rest: ArraySlice<UInt8>

  init(_ text: some StringProtocol) {
    // No instant is written longer, and a hostile text isn't read further.
    let bytes = Array(text.utf8.prefix(65))
    rest = bytes.count > 64 ? [] : bytes[...]
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// Moves past one of the characters; false where none of them stands.
  mutating func skip(_ characters: StaticString) -> Bool {
    guard let byte = rest.first, "\(characters)".utf8.contains(byte) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func number(digits: Int) -> Int? {
    let field = rest.prefix(digits)
    guard field.count == digits, field.allSatisfy(\.isDecimalDigit) else { return nil }
    rest.removeFirst(digits)
    return field.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  /// One or more digits behind the point, as microseconds.
  mutating func fraction() -> Int? {
    let field = rest.prefix(while: \.isDecimalDigit)
    guard !field.isEmpty else { return nil }
    rest.removeFirst(field.count)
    let digits = field.prefix(6).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return (min(field.count, 6)..<6).reduce(digits) { value, _ in value * 10 }
  }
}

extension [UInt8] {
  /// The decimal digits of a number that isn't negative, with zeros in front up to a width.
  fileprivate mutating func append(
    _ number: Int, digits: Int, behind separator: Unicode.Scalar? = nil
  ) {
    if let separator { append(UInt8(ascii: separator)) }
    let start = count
    var rest = number
    while rest > 0 || count - start < digits {
      append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    }
    self[start...].reverse()
  }
}
