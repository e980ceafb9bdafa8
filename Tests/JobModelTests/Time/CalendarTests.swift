import JobModel
import Testing

@Suite("The calendar and RFC 3339")
struct CalendarTests {
  @Test func `every day of four centuries is one day after the one before`() throws {
    var date = try #require(CivilDate(year: 1799, month: 12, day: 31))
    for number in date.daysSinceEpoch + 1...date.daysSinceEpoch + 146_097 {
      let next = CivilDate(daysSinceEpoch: number)
      let isFollowing =
        next.day == date.day + 1 && next.month == date.month && next.year == date.year
        || next.day == 1 && date.day == CivilDate.length(ofMonth: date.month, year: date.year)
          && (next.month == date.month + 1 && next.year == date.year
            || next.month == 1 && date.month == 12 && next.year == date.year + 1)
      guard isFollowing, next.daysSinceEpoch == number, date < next else {
        Issue.record("\(date) is followed by \(next)")
        return
      }
      date = next
    }
    #expect(date == CivilDate(year: 2199, month: 12, day: 31))
  }

  @Test(arguments: [
    (1970, 1, 1, Weekday.thursday), (2000, 2, 29, .tuesday), (1900, 1, 1, .monday),
    (2024, 3, 10, .sunday), (0, 3, 1, .wednesday), (-1, 12, 31, .friday),
  ])
  func `knows weekdays`(year: Int, month: Int, day: Int, weekday: Weekday) {
    #expect(CivilDate(year: year, month: month, day: day)?.weekday == weekday)
  }

  @Test(arguments: [(2023, 2, 29), (1900, 2, 29), (2024, 4, 31), (2024, 13, 1), (2024, 1, 0)])
  func `refuses days that no month has`(year: Int, month: Int, day: Int) {
    #expect(CivilDate(year: year, month: month, day: day) == nil)
  }

  @Test(arguments: [
    (0, 0, 3, "1970-01-01T00:00:00.000Z"), (-1, 0, 6, "1969-12-31T23:59:59.999999Z"),
    (1_710_054_000_123_456, 0, 0, "2024-03-10T07:00:00Z"),
    (1_710_054_000_999_999, -14_400, 3, "2024-03-10T03:00:00.999-04:00"),
    (1_710_054_000_000_000, 20_700, 3, "2024-03-10T12:45:00.000+05:45"),
    (0, -968, 0, "1969-12-31T23:44:00-00:16"),
  ])
  func `writes instants`(microseconds: Int64, offset: Int, digits: Int, expected: String) {
    let instant = WallInstant(microseconds: microseconds)
    #expect(RFC3339.format(instant, offset: offset, fractionDigits: digits) == expected)
  }

  @Test(arguments: [
    ("2024-03-10T07:00:00Z", 1_710_054_000_000_000),
    ("2024-03-10t03:00:00.5-04:00", 1_710_054_000_500_000),
    ("2024-03-10 12:45:00.1234567+05:45", 1_710_054_000_123_456),
    ("1969-12-31T23:59:59.999999z", -1), ("2016-12-31T23:59:60Z", 1_483_228_800_000_000),
  ])
  func `reads instants`(text: String, microseconds: Int64) {
    #expect(RFC3339.parse(text) == WallInstant(microseconds: microseconds))
  }

  @Test(arguments: [
    "", "2024-03-10", "2024-03-10T07:00Z", "2024-03-10T07:00:00", "2024-02-30T00:00:00Z",
    "2024-03-10T24:00:00Z", "2024-03-10T07:00:61Z", "2024-03-10T07:00:00.Z",
    "2024-03-10T07:00:00+24:00", "2024-03-10T07:00:00Zx", "24-03-10T07:00:00Z",
    "2024-03-10T07:00:00." + String(repeating: "0", count: 200) + "Z",
  ])
  func `refuses what is no instant`(text: String) {
    #expect(RFC3339.parse(text) == nil)
  }

  @Test func `no text makes the reading of instants trap`() {
    let samples = ["2024-03-10T07:00:00.123456789Z", "0000-01-01T00:00:00+23:59"]
    checkMutations(of: samples, seed: 8) { text in
      guard let instant = RFC3339.parse(text) else { return }
      let written = RFC3339.format(instant, fractionDigits: 6)
      #expect(written.hasPrefix("-") || RFC3339.parse(written) == instant, "\(text)")
    }
  }

  @Test func `reads back what it writes, to the ends of four-digit years`() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<1000 {
      let microseconds = Int64.random(
        in: -62_135_596_800_000_000...253_402_300_799_999_999, using: &generator)
      let instant = WallInstant(microseconds: microseconds)
      let offset = Int.random(in: -1439...1439, using: &generator) * 60
      let text = RFC3339.format(instant, offset: offset, fractionDigits: 6)
      guard !text.hasPrefix("+") && !text.hasPrefix("-") else { continue }
      #expect(RFC3339.parse(text) == instant, "\(text)")
    }
    #expect(RFC3339.format(WallInstant(microseconds: .min)) == "-290308-12-21T19:59:05.224Z")
    #expect(RFC3339.format(WallInstant(microseconds: .max)) == "+294247-01-10T04:00:54.775Z")
  }
}
