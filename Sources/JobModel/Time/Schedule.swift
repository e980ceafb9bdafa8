/// When a job recurs: its instants follow from an anchor, never from when a run ended (PL7, PL8).
///
/// The anchor is the last instant that was dealt with; the store keeps it. Every function here is
/// pure, so that restarts, sleep and clock steps all come to the same answer (PL10).
package enum Schedule: Hashable, Sendable {
  /// Elapsed wall time from the anchor (PL7).
  case every(Duration)
  /// The expression's instants in a time zone (PL8); both are large, and shared by every copy.
  indirect case cron(CronExpression, TimeZoneRules)

  /// A text that changes exactly when the schedule does, to be kept beside the anchor.
  package var fingerprint: String {
    switch self {
    case .every(let interval): "every \(interval.microseconds)us"
    case .cron(let expression, let zone): "cron \(expression.normalizedText) in \(zone.name)"
    }
  }

  /// The first nominal instant behind an anchor; nil when there is none.
  package func next(after anchor: WallInstant) -> WallInstant? {
    switch self {
    case .every(let interval):
      guard interval.microseconds > 0, anchor.microseconds <= .max - interval.microseconds else {
        return nil
      }
      return anchor + interval
    case .cron(let expression, let zone):
      return expression.next(after: anchor, in: zone)
    }
  }

  /// What a job's first sight makes due: with `every` this very instant, with cron nothing before
  /// its next one (PL7).
  package func firstDue(seenAt now: WallInstant) -> DueInstants {
    switch self {
    case .every: DueInstants(instants: [now], newAnchor: now)
    case .cron: DueInstants(instants: [], newAnchor: now)
    }
  }

  /// The anchor to go on from when this one lies more than one interval in the future, because
  /// the clock was wrong (PL7): now, to be reported; nil when the anchor is good.
  ///
  /// An anchor less far ahead stays, so that no instant runs twice after a small step back (PL10).
  package func correctedAnchor(_ anchor: WallInstant, now: WallInstant) -> WallInstant? {
    guard anchor > now, let next = next(after: now), anchor > next else { return nil }
    return now
  }

  /// The anchor to go on from when the schedule has become this one: nothing is due at once
  /// (PL12), and a changed interval keeps the old one's phase (PL7).
  package func rebasedAnchor(_ anchor: WallInstant, now: WallInstant) -> WallInstant {
    guard anchor < now else { return anchor }
    switch self {
    case .every(let interval):
      return Grid(anchor: anchor, interval: interval, now: now)?.newest ?? now
    case .cron: return now
    }
  }
}
