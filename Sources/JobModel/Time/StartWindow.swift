/// When an instant of a schedule may start: its offset for this machine, and until when it makes
/// sense.
package struct StartWindow: Hashable, Sendable {
  /// The nominal instant, moved by the machine's offset (PL18); the nominal one stays as it is.
  package let opens: WallInstant
  /// The last instant at which it may start; nil: it may start however late (PL17).
  package let closes: WallInstant?

  /// The window of a nominal instant.
  ///
  /// `startWithin` counts from where the window opens: a machine whose offset is large has as long
  /// as one whose offset is small.
  package init(nominal: WallInstant, offset: Duration = .zero, startWithin: Duration? = nil) {
    let opens = nominal + offset
    self.opens = opens
    closes = startWithin.map { opens + $0 }
  }

  /// Whether the instant is skipped for being too late (PL17).
  package func isTooLate(at now: WallInstant) -> Bool {
    closes.map { now > $0 } ?? false
  }
}

/// The offset that spreads one job over many machines: `schedule.randomDelay` (PL18).
package enum StableOffset {
  /// A delay from nothing to `upTo`, the same for a machine and an identifier at every start.
  package static func delay(
    machine: String, identifier: String, upTo: Duration
  ) -> Duration {
    let longest = upTo.microseconds
    guard longest > 0 else { return .zero }
    let hash = StableHash.of([machine, identifier])
    // The hash as a fraction of 2^64, times the number of possible delays.
    return .microseconds(Int64(hash.multipliedFullWidth(by: UInt64(longest) + 1).high))
  }
}
