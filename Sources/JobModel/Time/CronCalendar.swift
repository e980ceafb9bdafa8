/// The minutes of a calendar without time zone that a cron expression names.
///
/// A minute is counted from 1970-01-01 00:00 on a local clock. Months are decided as a whole, as
/// one mask of days, so that searching and counting never walk over minutes.
struct CronCalendar: Hashable, Sendable {
  private static let minutesInDay = 1440

  /// Bit n: minute n of an hour.
  let minutes: UInt64
  /// Bit n: hour n of a day.
  let hours: UInt64
  /// Bit n: day n of a month; nil when the field is unset.
  let days: UInt64?
  /// Bit n: month n of a year.
  let months: UInt64
  /// Bit n: weekday n from Sunday; nil when the field is unset.
  let weekdays: UInt64?

  /// Whether no date ever matches, as 30 February.
  var isEmpty: Bool {
    guard let days, weekdays == nil else { return false }
    return !(1...12).contains { month in
      // 2000 is a leap year.
      months.hasBit(month)
        && days & Self.bits(1...CivilDate.length(ofMonth: month, year: 2000)) != 0
    }
  }

  /// The first matching minute in a range of minutes.
  func first(in range: Range<Int>) -> Int? {
    var position = Position(range.lowerBound)
    while position.monthStart < range.upperBound {
      if let found = first(in: position) { return found < range.upperBound ? found : nil }
      position = position.nextMonth
    }
    return nil
  }

  /// The last matching minute in a range of minutes.
  func last(in range: Range<Int>) -> Int? {
    guard !range.isEmpty else { return nil }
    var position = Position(range.upperBound - 1)
    while position.monthEnd > range.lowerBound {
      if let found = last(in: position) { return found >= range.lowerBound ? found : nil }
      position = position.previousMonth
    }
    return nil
  }

  /// The number of matching minutes in a range of minutes.
  func count(in range: Range<Int>) -> Int {
    var position = Position(range.lowerBound)
    var count = -countBefore(position)
    while position.monthEnd <= range.upperBound {
      count += dayMask(position).nonzeroBitCount * timesInDay
      position = position.nextMonth
    }
    return count + countBefore(Position(range.upperBound))
  }

  // MARK: Within a month

  /// A minute, taken apart: its month, its day there and its minute of that day.
  private struct Position {
    var year: Int
    var month: Int
    var firstDay: Int
    var length: Int
    var day: Int
    var minuteOfDay: Int

    init(_ minute: Int) {
      let (days, minuteOfDay) = minute.flooredDivision(by: CronCalendar.minutesInDay)
      let date = CivilDate(daysSinceEpoch: days)
      self.init(year: date.year, month: date.month, day: date.day, minuteOfDay: minuteOfDay)
    }

    private init(year: Int, month: Int, day: Int?, minuteOfDay: Int) {
      self.year = year
      self.month = month
      firstDay = CivilDate.daysSinceEpoch(year: year, month: month)
      length = CivilDate.length(ofMonth: month, year: year)
      self.day = day ?? length
      self.minuteOfDay = minuteOfDay
    }

    var monthStart: Int { firstDay * CronCalendar.minutesInDay }
    var monthEnd: Int { (firstDay + length) * CronCalendar.minutesInDay }

    /// The first minute of the month after.
    var nextMonth: Self {
      Self(
        year: month == 12 ? year + 1 : year, month: month == 12 ? 1 : month + 1, day: 1,
        minuteOfDay: 0)
    }

    /// The last minute of the month before.
    var previousMonth: Self {
      Self(
        year: month == 1 ? year - 1 : year, month: month == 1 ? 12 : month - 1, day: nil,
        minuteOfDay: CronCalendar.minutesInDay - 1)
    }

    func minute(day: Int, minuteOfDay: Int) -> Int {
      (firstDay + day - 1) * CronCalendar.minutesInDay + minuteOfDay
    }
  }

  /// Bit n: day n of the position's month matches.
  private func dayMask(_ position: Position) -> UInt64 {
    guard months.hasBit(position.month) else { return 0 }
    let all = Self.bits(1...position.length)
    guard let weekdays else { return (days ?? all) & all }
    let firstWeekday = Weekday(daysSinceEpoch: position.firstDay).rawValue
    // The week turned so that it begins with the month's first day, then laid out five times.
    let week = (weekdays >> UInt64(firstWeekday) | weekdays << UInt64(7 - firstWeekday)) & 0x7f
    let fiveWeeks = week | week << 7 | week << 14 | week << 21 | week << 28
    return (fiveWeeks << 1 | (days ?? 0)) & all
  }

  private func first(in position: Position) -> Int? {
    let mask = dayMask(position)
    guard mask != 0 else { return nil }
    if mask.hasBit(position.day), let time = firstTime(from: position.minuteOfDay) {
      return position.minute(day: position.day, minuteOfDay: time)
    }
    guard let day = mask.firstBit(from: position.day + 1), let time = firstTime(from: 0) else {
      return nil
    }
    return position.minute(day: day, minuteOfDay: time)
  }

  private func last(in position: Position) -> Int? {
    let mask = dayMask(position)
    guard mask != 0 else { return nil }
    if mask.hasBit(position.day), let time = lastTime(through: position.minuteOfDay) {
      return position.minute(day: position.day, minuteOfDay: time)
    }
    guard let day = mask.lastBit(through: position.day - 1),
      let time = lastTime(through: Self.minutesInDay - 1)
    else { return nil }
    return position.minute(day: day, minuteOfDay: time)
  }

  /// The matching minutes from the month's start up to the position, which isn't counted.
  private func countBefore(_ position: Position) -> Int {
    let mask = dayMask(position)
    let fullDays = (mask & Self.bits(0...position.day - 1)).nonzeroBitCount * timesInDay
    guard mask.hasBit(position.day) else { return fullDays }
    let (hour, minute) = position.minuteOfDay.quotientAndRemainder(dividingBy: 60)
    let fullHours = (hours & (1 << UInt64(hour) - 1)).nonzeroBitCount * minutes.nonzeroBitCount
    let rest = hours.hasBit(hour) ? (minutes & (1 << UInt64(minute) - 1)).nonzeroBitCount : 0
    return fullDays + fullHours + rest
  }

  // MARK: Within a day

  private var timesInDay: Int { hours.nonzeroBitCount * minutes.nonzeroBitCount }

  private func firstTime(from minuteOfDay: Int) -> Int? {
    let (hour, minute) = minuteOfDay.quotientAndRemainder(dividingBy: 60)
    if hours.hasBit(hour), let found = minutes.firstBit(from: minute) { return hour * 60 + found }
    guard let later = hours.firstBit(from: hour + 1), let first = minutes.firstBit(from: 0) else {
      return nil
    }
    return later * 60 + first
  }

  private func lastTime(through minuteOfDay: Int) -> Int? {
    let (hour, minute) = minuteOfDay.quotientAndRemainder(dividingBy: 60)
    if hours.hasBit(hour), let found = minutes.lastBit(through: minute) {
      return hour * 60 + found
    }
    guard let earlier = hours.lastBit(through: hour - 1), let last = minutes.lastBit(through: 59)
    else { return nil }
    return earlier * 60 + last
  }

  /// A mask with the bits of a range set.
  static func bits(_ range: ClosedRange<Int>) -> UInt64 {
    (UInt64.max >> UInt64(63 - range.upperBound)) & (UInt64.max << UInt64(range.lowerBound))
  }
}

extension UInt64 {
  fileprivate func hasBit(_ index: Int) -> Bool {
    self >> UInt64(index) & 1 == 1
  }

  /// The lowest set bit at an index or above.
  fileprivate func firstBit(from index: Int) -> Int? {
    let rest = index < 64 ? self & (.max << UInt64(index)) : 0
    return rest == 0 ? nil : rest.trailingZeroBitCount
  }

  /// The highest set bit at an index or below; nil also for an index below 0.
  fileprivate func lastBit(through index: Int) -> Int? {
    let rest = index >= 0 ? self & (.max >> UInt64(63 - index)) : 0
    return rest == 0 ? nil : 63 - rest.leadingZeroBitCount
  }
}
