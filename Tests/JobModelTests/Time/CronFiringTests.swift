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
