import JobModel
import Testing

private let start: WallInstant = "2026-01-01T00:00:00Z"

private func every(_ duration: Duration) -> Schedule { .every(duration) }

private func cron(_ text: String, in zone: String = "UTC") throws -> Schedule {
  .cron(try CronExpression.parse(text).get(), try TestZones.zone(zone))
}

extension Schedule {
  fileprivate func due(
    from anchor: WallInstant, at now: WallInstant, _ catchUp: CatchUp, limit: Int = 100
  ) -> DueInstants {
    due(anchor: anchor, now: now, catchUp: catchUp, limit: limit, onTime: .seconds(60))
  }
}

@Suite("PL7: the instants of a schedule and its anchor")
struct ScheduleAnchorTests {
  @Test func `PL7: every is first due when first seen, cron at its next instant`() throws {
    #expect(
      every(.seconds(900)).firstDue(seenAt: start)
        == DueInstants(instants: [start], newAnchor: start))
    #expect(
      try cron("0 3 * * *").firstDue(seenAt: start)
        == DueInstants(instants: [], newAnchor: start))
  }

  @Test func `PL7: every counts from the anchor, cron from the calendar`() throws {
    #expect(every(.seconds(900)).next(after: start) == "2026-01-01T00:15:00Z")
    #expect(try cron("0 3 * * *").next(after: start) == "2026-01-01T03:00:00Z")
    #expect(try cron("0 0 30 2 *").next(after: start) == nil)
    #expect(every(.zero).next(after: start) == nil)
    #expect(every(.seconds(1)).next(after: WallInstant(microseconds: .max)) == nil)
  }

  @Test func `PL7: every 7d runs twice while the runner restarts daily for nine days`() {
    let schedule = every(.seconds(7 * 86_400))
    let first = schedule.firstDue(seenAt: start)
    var runs = first.instants
    var anchor = first.newAnchor
    for day in 1...9 {
      let due = schedule.due(from: anchor, at: start + .seconds(day * 86_400), .latest)
      runs += due.instants
      anchor = due.newAnchor
      #expect(due.skipped == 0)
    }
    #expect(runs == [start, "2026-01-08T00:00:00Z"])
  }

  @Test func `PL7: an anchor more than one interval in the future is reset to now`() throws {
    let schedule = every(.seconds(900))
    #expect(schedule.correctedAnchor("2099-01-01T00:00:00Z", now: start) == start)
    #expect(schedule.correctedAnchor(start + .seconds(900), now: start) == nil)
    #expect(schedule.correctedAnchor(start + .seconds(901), now: start) == start)
    #expect(schedule.correctedAnchor(start - .seconds(900), now: start) == nil)
    let daily = try cron("0 3 * * *")
    #expect(daily.correctedAnchor("2099-01-01T03:00:00Z", now: start) == start)
    #expect(daily.correctedAnchor("2026-01-01T03:00:00Z", now: start) == nil)
  }

  @Test func `PL7: a clock that read 2099 for one start goes on from now`() {
    let schedule = every(.seconds(900))
    let wrong = schedule.due(from: start, at: "2099-01-01T00:00:00Z", .latest)
    let now = start + .seconds(60)
    let anchor = schedule.correctedAnchor(wrong.newAnchor, now: now)
    #expect(anchor == now)
    #expect(anchor.flatMap(schedule.next) == now + .seconds(900))
  }

  @Test func `PL7: a changed interval keeps the anchor's phase, PL12: and fires nothing`() {
    let anchor: WallInstant = "2026-01-01T00:07:00Z"
    let now: WallInstant = "2026-01-01T10:30:00Z"
    let hourly = every(.seconds(3600))
    let rebased = hourly.rebasedAnchor(anchor, now: now)
    #expect(rebased == "2026-01-01T10:07:00Z")
    #expect(hourly.due(from: rebased, at: now, .all).instants.isEmpty)
    #expect(hourly.next(after: rebased) == "2026-01-01T11:07:00Z")
    #expect(hourly.rebasedAnchor(now + .seconds(60), now: now) == now + .seconds(60))
  }

  @Test func `PL12: a changed expression begins at its next instant`() throws {
    let now: WallInstant = "2026-01-01T10:30:00Z"
    #expect(try cron("0 3 * * *").rebasedAnchor(start, now: now) == now)
  }

  @Test func `a fingerprint changes when the schedule does, not with its spelling`() throws {
    #expect(try cron("0 3 * * mon").fingerprint == cron(" 0 3  * * MON").fingerprint)
    #expect(try cron("@daily").fingerprint == cron("0 0 * * *").fingerprint)
    let all = [
      try cron("0 3 * * *").fingerprint, try cron("0 4 * * *").fingerprint,
      try cron("0 3 * * *", in: "Europe/Madrid").fingerprint, every(.seconds(60)).fingerprint,
      every(.milliseconds(60_001)).fingerprint,
    ]
    #expect(Set(all).count == all.count)
  }
}

@Suite("PL9, PL10: what is due")
struct ScheduleDueTests {
  @Test func `PL9: fourteen days of every 5s are one run and 241919 missed`() {
    let due = every(.seconds(5)).due(from: start, at: start + .seconds(14 * 86_400), .latest)
    #expect(due.instants == ["2026-01-15T00:00:00Z"])
    #expect(due.skipped == 241_919)
    #expect(due.firstSkipped == "2026-01-01T00:00:05Z")
    #expect(due.lastSkipped == "2026-01-14T23:59:55Z")
    #expect(due.newAnchor == "2026-01-15T00:00:00Z")
  }

  @Test func `PL9: nothing is due before the next instant`() throws {
    for schedule in [every(.seconds(60)), try cron("* * * * *")] {
      for catchUp in CatchUp.allCases {
        let due = schedule.due(from: start, at: start + .milliseconds(59_999), catchUp)
        #expect(due == DueInstants(instants: [], newAnchor: start))
      }
    }
  }

  @Test func `PL9: an instant is due at its very moment, once`() throws {
    for schedule in [every(.seconds(60)), try cron("* * * * *")] {
      let minute = start + .seconds(60)
      let due = schedule.due(from: start, at: minute, .latest)
      #expect(due == DueInstants(instants: [minute], newAnchor: minute))
      #expect(schedule.due(from: due.newAnchor, at: minute, .latest).instants.isEmpty)
    }
  }

  @Test func `PL9: all runs the newest up to the limit, the older are missed`() throws {
    let now: WallInstant = "2026-01-01T00:10:30Z"
    for schedule in [every(.seconds(60)), try cron("* * * * *")] {
      let due = schedule.due(from: start, at: now, .all, limit: 3)
      #expect(
        due.instants == ["2026-01-01T00:08:00Z", "2026-01-01T00:09:00Z", "2026-01-01T00:10:00Z"])
      #expect(due.skipped == 7)
      #expect(due.firstSkipped == "2026-01-01T00:01:00Z")
      #expect(due.lastSkipped == "2026-01-01T00:07:00Z")
      #expect(due.newAnchor == "2026-01-01T00:10:00Z")
      #expect(schedule.due(from: start, at: now, .all).instants.count == 10)
    }
  }

  @Test func `PL9: none keeps the newest only while it is on time`() throws {
    let daily = try cron("0 3 * * *")
    let onTime = daily.due(from: start, at: "2026-01-03T03:01:00Z", .none)
    #expect(onTime.instants == ["2026-01-03T03:00:00Z"])
    #expect(onTime.skipped == 2)
    let late = daily.due(from: start, at: "2026-01-03T03:01:01Z", .none)
    #expect(late.instants.isEmpty)
    #expect(late.skipped == 3)
    #expect(late.lastSkipped == "2026-01-03T03:00:00Z")
    #expect(late.newAnchor == "2026-01-03T03:00:00Z")
    #expect(Schedule.onTimeAllowance(tolerance: .zero) == .seconds(60))
    #expect(Schedule.onTimeAllowance(tolerance: .seconds(300)) == .seconds(300))
  }

  @Test func `PL9: ten years of every minute by cron are counted exactly`() throws {
    let now: WallInstant = "2036-01-01T00:00:00Z"
    let due = try cron("* * * * *", in: "Europe/Berlin").due(from: start, at: now, .latest)
    #expect(due.instants == [now])
    #expect(due.skipped == 3652 * 1440 - 1)
    #expect(due.firstSkipped == "2026-01-01T00:01:00Z")
  }

  @Test func `PL9: what lies more than forty years back is left out of the count`() throws {
    let due = try cron("0 0 1 1 *").due(
      from: "1900-06-01T00:00:00Z", at: "2026-06-01T00:00:00Z", .latest)
    #expect(due.skipped == 39)
    #expect(due.firstSkipped == "1987-01-01T00:00:00Z")
  }

  @Test func `PL10: a step back loses no instant and runs none twice`() throws {
    for schedule in [every(.seconds(3600)), try cron("0 * * * *")] {
      let anchor = schedule.due(from: start, at: start + .seconds(3600), .latest).newAnchor
      let steppedBack = start + .seconds(1800)
      #expect(schedule.correctedAnchor(anchor, now: steppedBack) == nil)
      #expect(schedule.due(from: anchor, at: steppedBack, .latest).instants.isEmpty)
      let later = schedule.due(from: anchor, at: start + .seconds(7200), .latest)
      #expect(later.instants == [start + .seconds(7200)])
      #expect(later.skipped == 0)
    }
  }

  @Test func `PL10: in any steps the same instants come, each once`() throws {
    var generator = SeededGenerator(seed: 10)
    let schedules = [
      every(.seconds(977)), try cron("*/7 * * * *", in: "Europe/Berlin"),
      try cron("10,50 1-3 * * *", in: "Europe/Berlin"),
    ]
    // Over Berlin's change of 29 March 2026.
    let (begin, end): (WallInstant, WallInstant) = (
      "2026-03-28T00:00:00Z", "2026-03-30T12:00:00Z"
    )
    for schedule in schedules {
      var expected: [WallInstant] = []
      while let next = schedule.next(after: expected.last ?? begin), next <= end {
        expected.append(next)
      }
      var (found, anchor, now): ([WallInstant], WallInstant, WallInstant) = ([], begin, begin)
      while now < end {
        now = min(now + .seconds(Int.random(in: 1...7200, using: &generator)), end)
        let due = schedule.due(from: anchor, at: now, .all, limit: 1000)
        #expect(due.skipped == 0)
        found += due.instants
        anchor = due.newAnchor
      }
      #expect(found == expected)
    }
  }

  @Test func `PL17: an instant is too late when it can't start within its time`() {
    let window = StartWindow(nominal: start, offset: .seconds(60), startWithin: .seconds(300))
    #expect(window.opens == start + .seconds(60))
    #expect(!window.isTooLate(at: start + .seconds(360)))
    #expect(window.isTooLate(at: start + .milliseconds(360_001)))
    #expect(!StartWindow(nominal: start).isTooLate(at: "2099-01-01T00:00:00Z"))
  }
}
