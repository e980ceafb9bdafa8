/// A cron expression: five fields that name the minutes at which something recurs (PL8).
package struct CronExpression: Hashable, Sendable {
  /// How far from an instant another one is looked for and counted. Nothing is rarer than
  /// 29 February around 2100, eight years apart.
  static let horizon = Duration.seconds(40 * 366 * 86_400)

  /// The expression as it was written.
  package let text: String
  /// The expression in one spelling for all that mean the same: five fields, names in capitals.
  package var normalizedText: String { CronParser(text).normalizedText }
  private let calendar: CronCalendar
  private let followsRealTime: Bool

  /// Reads an expression: five fields, or one of `@hourly`, `@daily`, `@weekly`, `@monthly` and
  /// `@yearly`.
  package static func parse(_ text: String) -> Result<CronExpression, Mistake> {
    do throws(Mistake) {
      return .success(try CronParser(text).expression())
    } catch {
      return .failure(error)
    }
  }

  init(text: String, calendar: CronCalendar, followsRealTime: Bool) {
    self.text = text
    self.calendar = calendar
    self.followsRealTime = followsRealTime
  }

  /// Whether no date ever matches, as with `0 0 30 2 *`.
  package var neverFires: Bool { calendar.isEmpty }

  /// Whether day of month and day of week are both set, so that either matches (PL8).
  package var matchesEitherDay: Bool { calendar.days != nil && calendar.weekdays != nil }

  /// The first instant later than another at which the expression fires; nil when there is none
  /// in the next forty years (PL8).
  package func next(after instant: WallInstant, in zone: TimeZoneRules) -> WallInstant? {
    guard !neverFires else { return nil }
    return firings(in: zone).next(after: instant.flooredSeconds).flatMap(WallInstant.init(exactly:))
  }

  /// The last instant not later than another at which the expression fires; nil when there is
  /// none in the forty years before.
  package func last(atOrBefore instant: WallInstant, in zone: TimeZoneRules) -> WallInstant? {
    guard !neverFires else { return nil }
    return firings(in: zone).last(atOrBefore: instant.flooredSeconds)
      .flatMap(WallInstant.init(exactly:))
  }

  /// How often the expression fires later than one instant and not later than another; what lies
  /// more than forty years before the second isn't counted.
  package func count(
    after start: WallInstant, through end: WallInstant, in zone: TimeZoneRules
  ) -> Int {
    guard !neverFires else { return 0 }
    return firings(in: zone).count(after: start.flooredSeconds, through: end.flooredSeconds)
  }

  /// A time of the expression that the clocks of a zone jump over, and when it runs instead.
  package struct Gap: Hashable, Sendable {
    /// The first matching time in the gap, which no clock shows.
    package let missing: CivilDateTime
    /// The first instant after the gap.
    package let runsAt: WallInstant
  }

  /// The next gaps of a zone's clocks in which the expression names a time, at most `limit` of
  /// them and from forty years (PL8); none where the expression follows real time.
  package func gapDates(
    in zone: TimeZoneRules, from instant: WallInstant, limit: Int
  ) -> [Gap] {
    firings(in: zone).missingTimes(after: instant.flooredSeconds, limit: limit)
      .compactMap { minute, firing in
        WallInstant(exactly: firing).map {
          Gap(missing: CivilDateTime(secondsSinceEpoch: minute * 60), runsAt: $0)
        }
      }
  }

  private func firings(in zone: TimeZoneRules) -> CronFirings {
    CronFirings(calendar: calendar, followsRealTime: followsRealTime, zone: zone)
  }
}

extension WallInstant {
  /// The instant; nil beyond what microseconds in 64 bits can say.
  fileprivate init?(exactly seconds: Int) {
    let (microseconds, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000)
    guard !overflow else { return nil }
    self.init(microseconds: microseconds)
  }
}
