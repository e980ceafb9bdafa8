/// A point on the wall clock: microseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
///
/// Wall instants are for calendars, people and the store. Deadlines use `MonotonicInstant`; the two
/// are different types so that neither can stand in for the other (LC3, PL10).
package struct WallInstant: Hashable, Comparable, Sendable {
  package var microseconds: Int64

  package init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  package init(seconds: Int64) {
    self.microseconds = seconds * 1_000_000
  }

  /// Whole seconds since the epoch, rounded down.
  package var seconds: Int64 {
    microseconds >= 0 ? microseconds / 1_000_000 : (microseconds - 999_999) / 1_000_000
  }

  package static func < (left: Self, right: Self) -> Bool {
    left.microseconds < right.microseconds
  }

  package static func + (instant: Self, duration: Duration) -> Self {
    Self(microseconds: addSaturating(instant.microseconds, duration.microseconds))
  }

  package static func - (instant: Self, duration: Duration) -> Self {
    Self(microseconds: addSaturating(instant.microseconds, -duration.microseconds))
  }

  package static func - (later: Self, earlier: Self) -> Duration {
    .microseconds(later.microseconds - earlier.microseconds)
  }
}

/// A point on the monotonic clock, which stands still while the machine sleeps: nanoseconds since
/// an origin that only this boot knows (CLOCK_MONOTONIC).
package struct MonotonicInstant: Hashable, Comparable, Sendable {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  package static func < (left: Self, right: Self) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  package static func + (instant: Self, duration: Duration) -> Self {
    Self(nanoseconds: addSaturating(instant.nanoseconds, duration.nanoseconds))
  }

  package static func - (later: Self, earlier: Self) -> Duration {
    .nanoseconds(later.nanoseconds - earlier.nanoseconds)
  }
}

/// Both clocks, read together; every event carries one.
package struct Now: Hashable, Sendable {
  package var wall: WallInstant
  package var monotonic: MonotonicInstant

  package init(wall: WallInstant, monotonic: MonotonicInstant) {
    self.wall = wall
    self.monotonic = monotonic
  }
}

extension Duration {
  /// The duration in microseconds, rounded towards zero and saturated.
  package var microseconds: Int64 {
    Int64(clamping: attoseconds / 1_000_000_000_000)
  }

  /// The duration in nanoseconds, rounded towards zero and saturated.
  package var nanoseconds: Int64 {
    Int64(clamping: attoseconds / 1_000_000_000)
  }

  /// The duration in seconds, for display and statistics only.
  package var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}

/// The sum, held at the type's bounds instead of trapping: the far future is far enough.
private func addSaturating(_ left: Int64, _ right: Int64) -> Int64 {
  let (sum, overflow) = left.addingReportingOverflow(right)
  return overflow ? (right < 0 ? .min : .max) : sum
}
