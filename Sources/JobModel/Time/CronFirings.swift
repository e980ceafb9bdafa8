/// The instants at which a cron expression fires in a time zone (PL8).
///
/// Time is walked in the zone's periods of constant offset; within one, local minutes and instants
/// go hand in hand. What the periods' borders mean depends on the pattern. One that follows real
/// time fires whenever the clocks show a matching minute. One that names fixed times fires once for
/// each: at the first of two, and for those that the clocks jump over once, at the first instant
/// behind the gap.
struct CronFirings {
  /// How far from an instant others are looked for and counted, in seconds.
  private static let horizon = Int(CronExpression.horizon.components.seconds)

  let calendar: CronCalendar
  let followsRealTime: Bool
  let zone: TimeZoneRules

  /// The first firing later than an instant in seconds since the epoch.
  func next(after instant: Int) -> Int? {
    var stretch = stretch(at: instant)
    var range = stretch.minutes(after: instant)
    let horizon = instant + Self.horizon
    while true {
      let limit = min(range.upperBound, stretch.minute(atOrAfter: horizon))
      if range.lowerBound < limit,
        let minute = calendar.first(in: range.lowerBound..<limit)
      {
        return stretch.instant(minute)
      }
      guard stretch.period.end < horizon else { return nil }
      stretch = self.stretch(at: stretch.period.end)
      if stretch.firesAtStart { return stretch.period.start }
      range = stretch.minutes
    }
  }

  /// The last firing at or before an instant in seconds since the epoch.
  func last(atOrBefore instant: Int) -> Int? {
    var stretch = stretch(at: instant)
    var range = stretch.minutes(through: instant)
    let horizon = instant - Self.horizon
    while true {
      let limit = max(range.lowerBound, stretch.minute(atOrAfter: horizon))
      if limit < range.upperBound, let minute = calendar.last(in: limit..<range.upperBound) {
        return stretch.instant(minute)
      }
      if stretch.firesAtStart { return stretch.period.start }
      guard stretch.period.start > horizon else { return nil }
      stretch = self.stretch(at: stretch.period.start - 1)
      range = stretch.minutes
    }
  }

  /// The number of firings later than one instant and at or before another, of those that lie
  /// within the horizon of the later one.
  func count(after start: Int, through end: Int) -> Int {
    let start = max(start, end - Self.horizon)
    guard start < end else { return 0 }
    var stretch = stretch(at: start)
    var range = stretch.minutes(after: start)
    var count = 0
    while stretch.period.end <= end {
      count += calendar.count(in: range)
      stretch = self.stretch(at: stretch.period.end)
      count += stretch.firesAtStart ? 1 : 0
      range = stretch.minutes
    }
    let last = stretch.minutes(through: end)
    return range.lowerBound < last.upperBound
      ? count + calendar.count(in: range.lowerBound..<last.upperBound) : count
  }

  /// The first matching local times in gaps of the clocks later than an instant, each with the
  /// instant behind the gap, which is when the run happens.
  func missingTimes(after instant: Int, limit: Int) -> [(minute: Int, firing: Int)] {
    var found: [(minute: Int, firing: Int)] = []
    var end = zone.period(at: instant).end
    while found.count < limit, end < instant + Self.horizon {
      let stretch = stretch(at: end)
      if stretch.firesAtStart, let minute = calendar.first(in: stretch.gap) {
        found.append((minute, end))
      }
      end = stretch.period.end
    }
    return found
  }

  // MARK: Stretches

  /// A period of the zone with the local minutes that may fire in it.
  private struct Stretch {
    var period: ZonePeriod
    /// The local minutes that belong to the period.
    var minutes: Range<Int>
    /// The local minutes that the clocks jump over when the period begins.
    var gap: Range<Int>
    /// Whether the period's first instant stands for what the gap holds.
    var firesAtStart = false

    func instant(_ minute: Int) -> Int {
      minute * 60 - period.type.offset
    }

    /// The first local minute that begins at or after an instant.
    func minute(atOrAfter instant: Int) -> Int {
      (instant + period.type.offset).roundedUpToMinute
    }

    func minutes(after instant: Int) -> Range<Int> {
      let first = minute(atOrAfter: instant + 1)
      return min(max(first, minutes.lowerBound), minutes.upperBound)..<minutes.upperBound
    }

    func minutes(through instant: Int) -> Range<Int> {
      let end = minute(atOrAfter: instant + 1)
      return minutes.lowerBound..<max(min(end, minutes.upperBound), minutes.lowerBound)
    }
  }

  private func stretch(at instant: Int) -> Stretch {
    let period = zone.period(at: instant)
    let clockStart = period.start + period.type.offset
    let firstMinute = clockStart.roundedUpToMinute
    let endMinute = (period.end + period.type.offset).roundedUpToMinute
    var stretch = Stretch(
      period: period, minutes: firstMinute..<endMinute, gap: firstMinute..<firstMinute)
    guard !followsRealTime, period.start > ZonePeriod.distantPast else { return stretch }

    let shown = latestClock(before: period.start).roundedUpToMinute
    if shown > firstMinute {
      // The clocks were put back: what they have shown already has fired.
      stretch.minutes = min(shown, endMinute)..<endMinute
    } else if shown < firstMinute {
      stretch.gap = shown..<firstMinute
      stretch.firesAtStart = calendar.first(in: stretch.gap) != nil
      // The start may itself be a matching minute; it fires once.
      if stretch.firesAtStart, clockStart == firstMinute * 60 {
        stretch.minutes = firstMinute + 1..<max(endMinute, firstMinute + 1)
      }
    }
    return stretch
  }

  /// The latest time that the clocks had come to when a period begins, in seconds.
  private func latestClock(before start: Int) -> Int {
    var latest = ZonePeriod.distantPast
    var end = start
    // Two offsets differ by at most twice the largest: earlier periods can't reach further.
    while end > start - 2 * ZoneType.largestOffset {
      let period = zone.period(at: end - 1)
      latest = max(latest, end + period.type.offset)
      end = period.start
    }
    return latest
  }
}

extension Int {
  /// The first whole minute that begins at or after a number of seconds.
  fileprivate var roundedUpToMinute: Int {
    let (quotient, remainder) = flooredDivision(by: 60)
    return remainder == 0 ? quotient : quotient + 1
  }
}
