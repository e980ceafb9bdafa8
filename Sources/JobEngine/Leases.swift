import JobModel

/// A run that is claimed ahead of its start: it is launched as soon as there is a place, without
/// another transaction.
struct LeasedRun: Sendable {
  let number: RunNumber
  let jobIndex: JobIndex
  /// The request as it was claimed.
  let request: RequestRecord
  let entry: JobEntry
}

/// The runs of one job that are claimed ahead, in the order in which they start.
struct Leases: Sendable {
  /// Those already taken stand in front of `start`: taking one costs nothing.
  private var runs: ArraySlice<LeasedRun> = []
  /// When one of them last started, or the first of them was claimed.
  private(set) var movedAt = MonotonicInstant(nanoseconds: .min)

  var isEmpty: Bool { runs.isEmpty }
  var count: Int { runs.count }
  var first: LeasedRun? { runs.first }
  var all: ArraySlice<LeasedRun> { runs }

  mutating func append(_ run: LeasedRun, at now: MonotonicInstant) {
    if runs.isEmpty { movedAt = now }
    runs.append(run)
  }

  mutating func takeFirst(at now: MonotonicInstant) -> LeasedRun? {
    movedAt = now
    return runs.popFirst()
  }

  mutating func take(_ number: RunNumber) -> LeasedRun? {
    guard let index = runs.firstIndex(where: { $0.number == number }) else { return nil }
    return runs.remove(at: index)
  }

  mutating func takeAll() -> ArraySlice<LeasedRun> {
    defer { runs = [] }
    return runs
  }
}

/// How long the runs of a job take, from those that ended lately: only short ones are worth claiming
/// ahead, for a claim costs a transaction of its own otherwise.
struct RunPace: Hashable, Sendable {
  /// A job whose runs take longer gains nothing, and would keep requests from other runners.
  static let shortRun = Duration.milliseconds(5)
  /// What is claimed ahead for a place has started within this time, or is given back.
  static let patience = Duration.milliseconds(50)
  /// How long the end of such a run may wait for others, to be recorded with them.
  static let company = Duration.milliseconds(5)
  /// Most runs that are claimed ahead for a place.
  static let mostAhead = 32

  /// A moving average; nil before the first run, and after one that didn't go well.
  private(set) var average: Duration? {
    didSet { ahead = Self.ahead(of: average) }
  }
  /// Runs to claim ahead for each place; 0 when the runs aren't known to be short.
  private(set) var ahead = 0

  mutating func note(_ took: Duration, hasSucceeded: Bool) {
    guard hasSucceeded else { return forget() }
    // One run that a busy machine held up doesn't make the others long.
    let took = min(took, Self.shortRun * 2)
    average = average.map { $0 + (took - $0) / 4 } ?? took
  }

  mutating func forget() { average = nil }

  private static func ahead(of average: Duration?) -> Int {
    guard let average, average <= shortRun else { return 0 }
    return min(mostAhead, Int(patience.nanoseconds / max(average.nanoseconds, 1000)))
  }
}

extension JobEntry {
  /// Whether its runs may be claimed ahead: workers are used again and start one at once, and
  /// nothing else hangs on the instant of a start.
  var isLeasable: Bool {
    !job.action.isCommand && job.kind != .continuedProcessing && job.strategy == .queue
      && job.afterSuccessOf.isEmpty
  }
}

extension JobState {
  /// Whether the claim of a request needn't wait for the disk: its job's runs have been short and
  /// have gone well since this runner started, so that one more costs less than the wait. The first
  /// run after a start, and one that follows an end without success, are counted whatever happens,
  /// or a job that takes the machine down would be started for ever (LC9).
  func mayRepeatStart(of request: RequestRecord) -> Bool {
    guard let entry, entry.isLeasable, request.isLeasable else { return false }
    return pace.ahead > 0 && request.attempt == 1 && request.starts == 0
  }
}

extension RequestRecord {
  /// Whether it may be claimed ahead: a scheduled instant is superseded by a newer one until it
  /// starts, and a person's `--now` and the strategies are decided at the start.
  var isLeasable: Bool {
    origin == .submission && !gateClass.isImmediate
      && (gateClass.strategy ?? .queue) == .queue
  }
}
