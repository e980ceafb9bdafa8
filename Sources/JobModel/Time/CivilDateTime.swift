/// A date and a time of day to the second, as a wall clock without a time zone shows them.
package struct CivilDateTime: Hashable, Comparable, Sendable {
  package let date: CivilDate
  /// 0 to 23.
  package let hour: Int
  /// 0 to 59.
  package let minute: Int
  /// 0 to 59.
  package let second: Int

  /// The time of day on a date; nil outside 00:00:00 to 23:59:59.
  package init?(date: CivilDate, hour: Int, minute: Int, second: Int = 0) {
    guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else {
      return nil
    }
    self.date = date
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// The date and time that many seconds after 1970-01-01 00:00:00 on the same clock.
  init(secondsSinceEpoch: Int) {
    let (days, seconds) = secondsSinceEpoch.flooredDivision(by: 86_400)
    date = CivilDate(daysSinceEpoch: days)
    hour = seconds / 3600
    minute = seconds / 60 % 60
    second = seconds % 60
  }

  /// Seconds since 1970-01-01 00:00:00 on the same clock.
  var secondsSinceEpoch: Int {
    date.daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + second
  }

  package static func < (left: Self, right: Self) -> Bool {
    left.secondsSinceEpoch < right.secondsSinceEpoch
  }
}

extension CivilDateTime: CustomStringConvertible {
  /// `2024-03-10 02:30`, with seconds only where there are any.
  package var description: String {
    let seconds = second == 0 ? "" : ":\(second.padded(to: 2))"
    return "\(date) \(hour.padded(to: 2)):\(minute.padded(to: 2))\(seconds)"
  }
}

extension CivilDate: CustomStringConvertible {
  /// `2024-03-10`; years outside 0000 to 9999 with their sign and all their digits.
  package var description: String {
    let sign = year < 0 ? "-" : year > 9999 ? "+" : ""
    return "\(sign)\(abs(year).padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))"
  }
}

extension Int {
  /// The decimal digits of a number that isn't negative, with zeros in front up to a width.
  func padded(to width: Int) -> String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}
