import JobModel

/// A run of this runner, from its applied claim to its recorded end.
struct LiveRun: Sendable {
  let begun: BegunRun
  /// When the store has to know that a leased run has started; nil once it does.
  var startDueAt: MonotonicInstant?
  var progress = RunProgress()
  var phase: Phase

  /// Where the run is; each case holds what is true only there.
  enum Phase: Sendable {
    /// The host was told; it hasn't said that the program runs.
    case launching(Watch, until: MonotonicInstant)
    case running(Watch)
    /// Warned; killed when the grace ends (LC5).
    case expiring(Ending.Expiration, graceEnds: MonotonicInstant)
    /// Its grace has ended, but it is a handler in this process, which nothing can kill: the place is
    /// held until it ends by itself (EM1).
    case overrunning(Ending.Expiration)
    /// SIGKILL was asked for; the slot is held until the processes are gone (ST2).
    case killing(Ending.Expiration)
    /// Its processes are gone; the end isn't recorded yet (DU4).
    indirect case ending(RunEnd, isProposed: Bool)
  }

  /// What may expire a run that hasn't been warned.
  struct Watch: Hashable, Sendable {
    /// The time limit (LC3).
    var limit: MonotonicInstant?
    /// What a lack of progress comes to (CP3); nil where none is expected.
    var stall: Stall?
    /// A required condition that is away, and when that expires the run (PL4).
    var loss: Loss?
  }

  enum Stall: Hashable, Sendable {
    /// Then it expires the run, or a person is asked.
    case borne(until: MonotonicInstant)
    /// A person is asked whether to wait for the run, which has stalled since; followers see it once
    /// it is recorded.
    case asked(since: WallInstant, isRecorded: Bool)
  }

  struct Loss: Hashable, Sendable {
    var condition: Reason
    var detail: String
    var expiresAt: MonotonicInstant
  }

  var number: RunNumber { begun.number }
  var jobIndex: JobIndex { begun.jobIndex }
  var request: RequestRecord { begun.request }
  var entry: JobEntry { begun.entry }
  var startedAt: Now { begun.startedAt }
  var isLeased: Bool { begun.isLeased }
  var identifier: JobIdentifier { begun.request.identifier }
  var job: JobDefinition { begun.entry.job }
  var pool: SlotPool { SlotPool(for: begun.request.kind) }
  /// When its progress last changed; its start while it hasn't.
  var lastMove: MonotonicInstant { progress.movedAt ?? startedAt.monotonic }

  /// What is watched, while nothing has expired it.
  var watch: Watch? {
    switch phase {
    case .launching(let watch, _), .running(let watch): watch
    case .expiring, .overrunning, .killing, .ending: nil
    }
  }

  /// Changes what is watched; nothing happens once the run has been warned.
  mutating func updateWatch(_ change: (inout Watch) -> Void) {
    switch phase {
    case .launching(var watch, let until):
      change(&watch)
      phase = .launching(watch, until: until)
    case .running(var watch):
      change(&watch)
      phase = .running(watch)
    case .expiring, .overrunning, .killing, .ending: break
    }
  }

  /// The next moment at which something has to be done about this run.
  var nextTimer: MonotonicInstant? {
    switch phase {
    case .launching(let watch, let until):
      earliest([until, watch.next, progress.dueAt, startDueAt])
    case .running(let watch): earliest([watch.next, progress.dueAt, startDueAt])
    case .expiring(_, let graceEnds): earliest([graceEnds, progress.dueAt])
    case .overrunning: progress.dueAt
    case .killing, .ending: nil
    }
  }
}

extension LiveRun.Watch {
  var next: MonotonicInstant? { earliest([limit, stallEnd, loss?.expiresAt]) }

  private var stallEnd: MonotonicInstant? {
    switch stall {
    case .borne(let until): until
    case .asked, nil: nil
    }
  }
}

/// The earliest of the instants that are there.
func earliest<Instant: Comparable>(_ instants: [Instant?]) -> Instant? {
  var earliest: Instant?
  for case let instant? in instants where earliest.map({ instant < $0 }) ?? true {
    earliest = instant
  }
  return earliest
}

/// What a run last said of itself, and how much of it the store knows.
struct RunProgress: Hashable, Sendable {
  var fraction: Double?
  var title: String?
  var subtitle: String?
  /// When the fraction last changed.
  var movedAt: MonotonicInstant?
  /// When progress was last proposed; at most once a second.
  var proposedAt: MonotonicInstant?
  /// When what hasn't been proposed yet is due; nil when the store knows everything.
  var dueAt: MonotonicInstant?

  /// Takes in a report.
  ///
  /// - Returns: whether the fraction changed: only that counts against stalling (CP3).
  mutating func take(_ report: ProgressReport, at now: MonotonicInstant) -> Bool {
    let before = self
    fraction = report.fraction ?? fraction
    title = report.title ?? title
    subtitle = report.subtitle ?? subtitle
    if self != before, dueAt == nil { dueAt = max(now, (proposedAt ?? now) + interval(proposedAt)) }
    guard fraction != before.fraction else { return false }
    movedAt = now
    return true
  }

  private func interval(_ last: MonotonicInstant?) -> Duration {
    last == nil ? .zero : .seconds(1)
  }
}
