/// A day of the proleptic Gregorian calendar, without a time zone.
package struct CivilDate: Hashable, Comparable, Sendable {
  package let year: Int
  /// 1 to 12.
  package let month: Int
  /// 1 to the month's length.
  package let day: Int

  /// The date; nil when the month has no such day.
  package init?(year: Int, month: Int, day: Int) {
    guard (-1_000_000...1_000_000).contains(year), (1...12).contains(month),
      day >= 1, day <= Self.length(ofMonth: month, year: year)
    else { return nil }
    self.init(checkedYear: year, month: month, day: day)
  }

  private init(checkedYear year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The date that many days after 1970-01-01.
  ///
  /// Years are counted from March here, so that the leap day ends the year and each month's
  /// first day follows from one division: the lengths from March on repeat every five months
  /// (153 days).
  package init(daysSinceEpoch: Int) {
    let (era, dayOfEra) = daysSinceEpoch.flooredDivision(offset: 719_468, by: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    self.init(
      checkedYear: era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month: month,
      day: dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  /// Days since 1970-01-01, negative before it.
  package var daysSinceEpoch: Int {
    Self.daysSinceEpoch(year: year, month: month) + day - 1
  }

  /// The days from 1970-01-01 to the first of a month.
  static func daysSinceEpoch(year: Int, month: Int) -> Int {
    let marchYear = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = marchYear.flooredDivision(by: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
      - 719_468
  }

  package var weekday: Weekday {
    Weekday(daysSinceEpoch: daysSinceEpoch)
  }

  /// Whether the year has a 29 February.
  package static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// The number of days in a month from 1 to 12.
  package static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  package static func < (left: Self, right: Self) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }
}

/// A day of the week, numbered from Sunday as cron and POSIX do.
package enum Weekday: Int, CaseIterable, Sendable {
  case sunday, monday, tuesday, wednesday, thursday, friday, saturday

  /// The weekday that many days after Thursday, 1970-01-01.
  init(daysSinceEpoch: Int) {
    let number = daysSinceEpoch.flooredDivision(offset: 4, by: 7).remainder
    self = Self.allCases[number]
  }
}

extension Int {
  /// Quotient and remainder, rounded so that the remainder is never negative.
  func flooredDivision(
    offset: Int = 0, by divisor: Int
  ) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = (self + offset).quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
