import JobModel
import Testing

/// The next instants of an expression in a zone, as UTC texts.
func firings(
  _ text: String, in zone: String, after start: WallInstant, count: Int
) throws -> [WallInstant] {
  let expression = try CronExpression.parse(text).get()
  let zone = try TestZones.zone(zone)
  var instants: [WallInstant] = []
  var latest = start
  while instants.count < count, let next = expression.next(after: latest, in: zone) {
    instants.append(next)
    latest = next
  }
  return instants
}

@Suite("PL8: when cron expressions fire")
struct CronFiringTests {
  @Test func `PL8: a time in New York's gap runs once, at the first instant after it`() throws {
    let instants = try firings(
      "30 2 * * *", in: "America/New_York", after: "2024-03-09T12:00:00Z", count: 2)
    #expect(instants == ["2024-03-10T07:00:00Z", "2024-03-11T06:30:00Z"])
  }

  @Test func `PL8: a time that New York shows twice runs once, at the first`() throws {
    let instants = try firings(
      "30 1 * * *", in: "America/New_York", after: "2024-11-02T12:00:00Z", count: 2)
    #expect(instants == ["2024-11-03T05:30:00Z", "2024-11-04T06:30:00Z"])
  }

  @Test func `PL8: every half hour in Berlin fires four times in the doubled hour`() throws {
    let instants = try firings(
      "*/30 * * * *", in: "Europe/Berlin", after: "2023-10-28T23:59:00Z", count: 6)
    #expect(
      instants == [
        "2023-10-29T00:00:00Z", "2023-10-29T00:30:00Z", "2023-10-29T01:00:00Z",
        "2023-10-29T01:30:00Z", "2023-10-29T02:00:00Z", "2023-10-29T02:30:00Z",
      ])
  }

  @Test func `PL8: hourly in Dublin goes from 00 to 02 over the gap`() throws {
    let instants = try firings(
      "0 * * * *", in: "Europe/Dublin", after: "2025-03-29T23:30:00Z", count: 3)
    let dublin = try TestZones.zone("Europe/Dublin")
    #expect(instants.map { dublin.local($0).hour } == [0, 2, 3])
    #expect(
      instants == ["2025-03-30T00:00:00Z", "2025-03-30T01:00:00Z", "2025-03-30T02:00:00Z"])
  }
}

@Suite("PL8: gaps and repeated hours")
struct CronGapTests {
  @Test func `PL8: several times in one gap are one run`() throws {
    let instants = try firings(
      "5,10,50 2 * * *", in: "America/New_York", after: "2024-03-10T06:00:00Z", count: 2)
    #expect(instants == ["2024-03-10T07:00:00Z", "2024-03-11T06:05:00Z"])
  }

  @Test func `PL8: a gap's run and a time right behind it are one run`() throws {
    let instants = try firings(
      "0,30 2,3 * * *", in: "America/New_York", after: "2024-03-10T06:00:00Z", count: 3)
    #expect(
      instants == ["2024-03-10T07:00:00Z", "2024-03-10T07:30:00Z", "2024-03-11T06:00:00Z"])
  }

  @Test func `PL8: a start within the repeated hour waits for the next day`() throws {
    let instants = try firings(
      "30 1 * * *", in: "America/New_York", after: "2024-11-03T06:10:00Z", count: 1)
    #expect(instants == ["2024-11-04T06:30:00Z"])
  }

  @Test func `PL8: a star in the hour follows real time through the repeated hour`() throws {
    let instants = try firings(
      "30 * * * *", in: "America/New_York", after: "2024-11-03T05:00:00Z", count: 3)
    #expect(
      instants == ["2024-11-03T05:30:00Z", "2024-11-03T06:30:00Z", "2024-11-03T07:30:00Z"])
  }

  @Test func `PL8: a star in the minute misses a gap that holds its whole hour`() throws {
    let instants = try firings(
      "*/30 2 * * *", in: "America/New_York", after: "2024-03-10T00:00:00Z", count: 1)
    #expect(instants == ["2024-03-11T06:00:00Z"])
  }

  @Test func `PL8: half an hour of daylight time on Lord Howe`() throws {
    // 6 October 2024: 02:00 becomes 02:30; 7 April 2024: 02:00 becomes 01:30.
    #expect(
      try firings(
        "15 2 * * *", in: "Australia/Lord_Howe", after: "2024-10-05T00:00:00Z", count: 2)
        == ["2024-10-05T15:30:00Z", "2024-10-06T15:15:00Z"])
    #expect(
      try firings(
        "45 1 * * *", in: "Australia/Lord_Howe", after: "2024-04-06T00:00:00Z", count: 2)
        == ["2024-04-06T14:45:00Z", "2024-04-07T15:15:00Z"])
  }

  @Test func `PL8: the day that Samoa left out runs at the next midnight`() throws {
    let instants = try firings(
      "30 2 * * *", in: "Pacific/Apia", after: "2011-12-29T20:00:00Z", count: 2)
    #expect(instants == ["2011-12-30T10:00:00Z", "2011-12-30T12:30:00Z"])
  }

  @Test func `PL8: next is always later, also from within a second`() throws {
    let expression = try CronExpression.parse("* * * * *").get()
    let instant: WallInstant = "2026-01-01T00:00:00Z"
    #expect(expression.next(after: instant, in: .utc) == "2026-01-01T00:01:00Z")
    #expect(expression.next(after: instant - .microseconds(1), in: .utc) == instant)
    #expect(
      expression.next(after: instant + .microseconds(1), in: .utc) == "2026-01-01T00:01:00Z")
    #expect(expression.last(atOrBefore: instant, in: .utc) == instant)
    #expect(
      expression.last(atOrBefore: instant - .microseconds(1), in: .utc)
        == "2025-12-31T23:59:00Z")
  }

  @Test func `PL8: 29 February is found over 2100`() throws {
    let instants = try firings("0 0 29 2 *", in: "UTC", after: "2096-03-01T00:00:00Z", count: 1)
    #expect(instants == ["2104-02-29T00:00:00Z"])
  }

  @Test func `PL8: the end of time has no next instant, and nothing traps there`() throws {
    let expression = try CronExpression.parse("0 3 * * *").get()
    let berlin = try TestZones.zone("Europe/Berlin")
    for zone in [TimeZoneRules.utc, berlin] {
      let (first, last) = (WallInstant(microseconds: .min), WallInstant(microseconds: .max))
      #expect(expression.next(after: last, in: zone) == nil)
      #expect(expression.last(atOrBefore: first, in: zone) == nil)
      #expect(expression.next(after: first, in: zone) != nil)
      #expect(expression.last(atOrBefore: last, in: zone) != nil)
      #expect(expression.count(after: first, through: last, in: zone) == 40 * 366)
    }
  }

  @Test func `lists the dates whose time is missing`() throws {
    let newYork = try TestZones.zone("America/New_York")
    let gaps = try CronExpression.parse("30 2 * * *").get()
      .gapDates(in: newYork, from: "2024-01-01T00:00:00Z", limit: 3)
    #expect(
      gaps.map(\.missing.description)
        == ["2024-03-10 02:30", "2025-03-09 02:30", "2026-03-08 02:30"])
    #expect(gaps.first?.runsAt == "2024-03-10T07:00:00Z")
    let none = try CronExpression.parse("30 4 * * *").get()
      .gapDates(in: newYork, from: "2024-01-01T00:00:00Z", limit: 3)
    #expect(none.isEmpty)
    let everyHour = try CronExpression.parse("30 * * * *").get()
      .gapDates(in: newYork, from: "2024-01-01T00:00:00Z", limit: 3)
    #expect(everyHour.isEmpty)
  }
}
