import JobEngine
import JobModel
import Testing

@Suite("Calendars through the engine (PL8)")
struct CalendarTests {
  @Test(arguments: [
    // A local time that doesn't exist runs once, at the first instant after the gap.
    (
      "30 2 * * *", "America/New_York", "2024-03-10T00:00:00-05:00", 20,
      ["2024-03-10T03:00:00-04:00"]
    ),
    // One that occurs twice runs once, at the first.
    (
      "30 1 * * *", "America/New_York", "2024-11-03T00:00:00-04:00", 20,
      ["2024-11-03T01:30:00-04:00"]
    ),
    // Patterns that start with * follow real time through the doubled hour.
    (
      "*/30 * * * *", "Europe/Berlin", "2023-10-29T01:45:00+02:00", 3,
      [
        "2023-10-29T02:00:00+02:00", "2023-10-29T02:30:00+02:00", "2023-10-29T02:00:00+01:00",
        "2023-10-29T02:30:00+01:00", "2023-10-29T03:00:00+01:00", "2023-10-29T03:30:00+01:00",
      ]
    ),
    // Dublin's summer time, whose standard time is the one of summer.
    (
      "0 * * * *", "Europe/Dublin", "2025-03-29T23:30:00Z", 2,
      ["2025-03-30T00:00:00Z", "2025-03-30T02:00:00+01:00"]
    ),
  ])
  func `PL8: instants around a change of the clocks`(
    cron: String, zoneName: String, start: String, hours: Int, expected: [String]
  ) throws {
    let runner = try VirtualRunner(
      [job(cron: cron, zone: zone(zoneName))], at: moment(start))
    try runner.start()
    runner.run(for: .seconds(hours * 3600 - 1))
    #expect(runner.launched.map(\.startedAt) == expected.map(instant))
    #expect(try runner.history().allSatisfy { $0.outcome == .succeeded })
  }
}
