import JobModel
import Testing

@Suite("PL7, PL9, PL10: what is due")
struct ScheduleTests {
  @Test func `PL9: fourteen days of every 5s are one run and 241919 missed`() {
    let anchor: WallInstant = "2026-01-01T00:00:00Z"
    let due = Schedule.every(.seconds(5)).due(
      anchor: anchor, now: anchor + .seconds(14 * 86_400), catchUp: .latest, limit: 100,
      onTime: .seconds(60))
    #expect(due.instants == ["2026-01-15T00:00:00Z"])
    #expect(due.skipped == 241_919)
    #expect(due.firstSkipped == "2026-01-01T00:00:05Z")
    #expect(due.lastSkipped == "2026-01-14T23:59:55Z")
    #expect(due.newAnchor == "2026-01-15T00:00:00Z")
  }
}
