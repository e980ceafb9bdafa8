import JobModel

/// Whether the wall clock can be right (PL15).
struct ClockTrust: Hashable, Sendable {
  /// The store's last recorded time.
  var recorded: WallInstant?
  /// Before this no clock is right: the build, until a steady clock has overruled it.
  var earliestPlausible: WallInstant
  /// Since when nobody has set the clock.
  var steadySince: MonotonicInstant
  var state = State.trusted

  enum State: Hashable, Sendable {
    case trusted
    case doubtful
    /// The reset of the recorded time has been proposed.
    case resetting
  }

  var isTrusted: Bool { state == .trusted }

  /// How long a clock that can't be right must have been steady to be believed.
  static let patience = Duration.seconds(3600)

  func isPlausible(_ now: WallInstant) -> Bool {
    now >= earliestPlausible && recorded.map { now >= $0 - .seconds(86_400) } ?? true
  }
}

extension Session {
  /// Follows the wall clock into and out of doubt.
  mutating func reviewClock(at now: Now) {
    switch (clock.state, clock.isPlausible(now.wall)) {
    case (.trusted, true): break
    case (.trusted, false):
      clock.state = .doubtful
      report(
        .clockImplausible(reads: now.wall, recorded: clock.recorded ?? clock.earliestPlausible))
      jobs.noteChanges(of: calendarJobs)
    case (.doubtful, true), (.resetting, true): trustClock(at: now)
    case (.doubtful, false):
      if now.monotonic >= clock.steadySince + ClockTrust.patience { proposeClockReset(at: now) }
    case (.resetting, false): break
    }
  }

  mutating func trustSynchronisedClock(at now: Now) {
    if clock.state == .doubtful, !clock.isPlausible(now.wall) { proposeClockReset(at: now) }
  }

  private mutating func proposeClockReset(at now: Now) {
    guard mayPropose else { return }
    clock.state = .resetting
    propose(.resetRecordedTime(now.wall), for: .resetRecordedTime)
  }

  /// The store's recorded time is `instant` from now on.
  mutating func clockWasReset(to instant: WallInstant, at now: Now) {
    clock.recorded = instant
    clock.earliestPlausible = min(clock.earliestPlausible, instant - .seconds(86_400))
    if clock.state == .resetting { trustClock(at: now) }
  }

  private mutating func trustClock(at now: Now) {
    clock.state = .trusted
    report(.clockTrusted(now.wall))
    jobs.noteChanges(of: jobs.indices)
  }

  /// Jobs whose instants wait while the clock is in doubt; `every` goes on.
  private var calendarJobs: [JobIndex] {
    jobs.indices.filter { jobs[$0].entry?.job.schedule?.followsCalendar == true }
  }
}

extension SchedulePolicy {
  /// Whether the instants are dates; intervals go on whatever the clock reads (PL15).
  var followsCalendar: Bool {
    switch schedule {
    case .every: false
    case .cron: true
    }
  }
}
