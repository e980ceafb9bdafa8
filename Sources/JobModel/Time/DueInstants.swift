/// What becomes of instants that were missed: `schedule.catchUp` (PL9).
package enum CatchUp: String, CaseIterable, Hashable, Sendable {
  /// One run for the newest, the others recorded as missed.
  case latest
  /// A run for each, up to a limit.
  case all
  /// No run.
  case none
}

/// The instants of a schedule that have come, shared out by its catch-up rule (PL9).
package struct DueInstants: Hashable, Sendable {
  /// The instants to run, the oldest first.
  package var instants: [WallInstant]
  /// How many instants are recorded as missed instead.
  package var skipped: Int
  /// The first and the last of the missed instants.
  package var firstSkipped: WallInstant?
  package var lastSkipped: WallInstant?
  /// The anchor to store together with all of this (PL11): the newest instant that has come.
  package var newAnchor: WallInstant

  package init(
    instants: [WallInstant], skipped: Int = 0, firstSkipped: WallInstant? = nil,
    lastSkipped: WallInstant? = nil, newAnchor: WallInstant
  ) {
    self.instants = instants
    self.skipped = skipped
    self.firstSkipped = firstSkipped
    self.lastSkipped = lastSkipped
    self.newAnchor = newAnchor
  }
}

extension Schedule {
  /// How late an instant may be noticed and still count as met rather than missed, for jobs that
  /// catch nothing up.
  ///
  /// A minute is cron's own grain: a restart or a loaded machine at 03:00 doesn't cost the night's
  /// run. A job that may start later anyway (PL6) has that long.
  package static func onTimeAllowance(tolerance: Duration) -> Duration {
    max(tolerance, .seconds(60))
  }

  /// The instants later than the anchor that have come by now, shared out by the catch-up rule
  /// (PL9).
  ///
  /// `limit` bounds how many `all` runs; the older ones are missed. `onTime` is for `none`: the
  /// newest instant runs if no more than this has passed since. No matter how many instants have
  /// come, they are counted and not walked.
  package func due(
    anchor: WallInstant, now: WallInstant, catchUp: CatchUp, limit: Int, onTime: Duration
  ) -> DueInstants {
    guard let series = series(after: anchor, through: now) else {
      return DueInstants(instants: [], newAnchor: anchor)
    }
    let runs =
      switch catchUp {
      case .latest: 1
      case .all: max(0, min(limit, series.count))
      case .none: now <= series.newest + onTime ? 1 : 0
      }
    var instants: [WallInstant] = []
    var older: WallInstant? = series.newest
    while instants.count < runs, let instant = older {
      instants.append(instant)
      older = previous(before: instant)
    }
    let skipped = series.count - instants.count
    return DueInstants(
      instants: instants.reversed(), skipped: skipped,
      firstSkipped: skipped > 0 ? series.oldest : nil,
      lastSkipped: skipped > 0 ? older : nil, newAnchor: series.newest)
  }

  /// Instants without a gap between them; never empty.
  private struct Series {
    var count: Int
    var oldest: WallInstant
    var newest: WallInstant
  }

  private func series(after anchor: WallInstant, through now: WallInstant) -> Series? {
    switch self {
    case .every(let interval):
      guard let grid = Grid(anchor: anchor, interval: interval, now: now), grid.steps > 0 else {
        return nil
      }
      return Series(count: grid.steps, oldest: anchor + interval, newest: grid.newest)
    case .cron(let expression, let zone):
      guard anchor < now, let newest = expression.last(atOrBefore: now, in: zone),
        newest > anchor
      else { return nil }
      let count = expression.count(after: anchor, through: now, in: zone)
      // What is too old to be counted isn't the oldest either.
      guard let oldest = expression.next(after: max(anchor, now - CronExpression.horizon), in: zone)
      else {
        return nil
      }
      return Series(count: count, oldest: oldest, newest: newest)
    }
  }

  private func previous(before instant: WallInstant) -> WallInstant? {
    switch self {
    case .every(let interval): instant - interval
    case .cron(let expression, let zone):
      expression.last(atOrBefore: WallInstant(microseconds: instant.microseconds - 1), in: zone)
    }
  }
}

/// The instants that an interval makes from an anchor.
struct Grid {
  /// How many of them have come.
  let steps: Int
  /// The newest of them, or the anchor when none has come.
  let newest: WallInstant

  /// The grid up to now; nil where now lies before the anchor or the interval is none.
  init?(anchor: WallInstant, interval: Duration, now: WallInstant) {
    let step = interval.microseconds
    let (elapsed, overflow) = now.microseconds.subtractingReportingOverflow(anchor.microseconds)
    guard step > 0, !overflow, elapsed >= 0 else { return nil }
    steps = Int(elapsed / step)
    newest = WallInstant(microseconds: anchor.microseconds + elapsed / step * step)
  }
}
