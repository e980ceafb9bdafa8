/// A moment that comes once a year on a local clock, as a POSIX TZ string writes it: `M3.5.0/1`.
struct YearlyMoment: Hashable, Sendable {
  private enum Day: Hashable {
    /// `J60`: the day of a year without 29 February, from 1.
    case withoutLeapDay(Int)
    /// `59`: the day of the year, from 0.
    case fromZero(Int)
    /// `M3.5.0`: a weekday's occurrence in a month; the fifth is the last.
    case weekday(Int, occurrence: Int, month: Int)
  }

  private let day: Day
  /// Seconds from that day's midnight, up to a week before or after it.
  private let time: Int

  init?(_ reader: inout FooterReader) {
    if reader.skip("M") {
      guard let month = reader.number(in: 1...12), reader.skip("."),
        let occurrence = reader.number(in: 1...5), reader.skip("."),
        let weekday = reader.number(in: 0...6)
      else { return nil }
      day = .weekday(weekday, occurrence: occurrence, month: month)
    } else if reader.skip("J") {
      guard let number = reader.number(in: 1...365) else { return nil }
      day = .withoutLeapDay(number)
    } else {
      guard let number = reader.number(in: 0...365) else { return nil }
      day = .fromZero(number)
    }
    guard reader.skip("/") else {
      time = 2 * 3600
      return
    }
    guard let time = reader.time(largestHour: 167) else { return nil }
    self.time = time
  }

  /// The moment in a year, in seconds since the epoch on the clock that it is written for.
  func seconds(in year: Int) -> Int {
    daysSinceEpoch(in: year) * 86_400 + time
  }

  private func daysSinceEpoch(in year: Int) -> Int {
    switch day {
    case .fromZero(let number):
      return CivilDate.daysSinceEpoch(year: year, month: 1) + number
    case .withoutLeapDay(let number):
      let leapDay = CivilDate.isLeap(year) && number >= 60 ? 1 : 0
      return CivilDate.daysSinceEpoch(year: year, month: 1) + number - 1 + leapDay
    case .weekday(let weekday, let occurrence, let month):
      let first = CivilDate.daysSinceEpoch(year: year, month: month)
      let firstWeekday = Weekday(daysSinceEpoch: first).rawValue
      let day = (weekday - firstWeekday + 7) % 7 + (occurrence - 1) * 7
      let length = CivilDate.length(ofMonth: month, year: year)
      return first + (day < length ? day : day - 7)
    }
  }
}

/// Reads a POSIX TZ string from its start.
struct FooterReader {
  private var rest: ArraySlice<UInt8>

  init(_ text: ArraySlice<UInt8>) {
    rest = text
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  /// `CET`, or between angle brackets anything such as `<+0330>`.
  mutating func abbreviation() -> String? {
    let isQuoted = skip("<")
    let name = rest.prefix { byte in
      isQuoted
        ? byte != UInt8(ascii: ">") && byte > 0x20 && byte < 0x7f
        : byte.isASCIILetter
    }
    rest.removeFirst(name.count)
    guard name.count >= 3, !isQuoted || skip(">") else { return nil }
    return String(decoding: name, as: UTF8.self)
  }

  /// `[+-]hh[:mm[:ss]]` in seconds.
  mutating func time(largestHour: Int) -> Int? {
    let isNegative = skip("-")
    if !isNegative { _ = skip("+") }
    guard let hours = number(in: 0...largestHour) else { return nil }
    var seconds = hours * 3600
    if skip(":") {
      guard let minutes = number(in: 0...59) else { return nil }
      seconds += minutes * 60
      if skip(":") {
        guard let rest = number(in: 0...59) else { return nil }
        seconds += rest
      }
    }
    return isNegative ? -seconds : seconds
  }

  mutating func number(in range: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix(while: \.isDecimalDigit)
    guard (1...3).contains(digits.count) else { return nil }
    rest.removeFirst(digits.count)
    let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return range.contains(value) ? value : nil
  }
}
