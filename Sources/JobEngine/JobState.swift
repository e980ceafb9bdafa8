import JobModel

/// One identifier in the engine's cache: the store's snapshot and what planning made of it.
struct JobState: Sendable {
  var known: KnownJob
  /// The entry that permits it now; nil when it left the manifest (SB11).
  var entry: JobEntry?
  /// Stable offset from the nominal instants (PL18).
  var offset = Duration.zero
  /// Proposals about it that have no verdict yet; it isn't planned while there are any.
  var proposalsInFlight = 0
  /// A refusal that the snapshot doesn't explain must not spin: no proposal before this.
  var heldUntil: MonotonicInstant?
  /// Requests that only limits hold back, in the order in which they start (PL5).
  var ready: [RequestRecord] = []
  /// Those that the job's own limit has kept from a place; a claim ahead may take them.
  var beyondLimit: [RequestRecord] = []
  /// Its runs in this runner: those whose processes live, and those whose end isn't recorded yet.
  var running = 0
  var settling = 0
  /// Those among the latter whose ends are in the next batch.
  var leaving = 0
  /// How long its runs take.
  var pace = RunPace()
  /// Its runs that are claimed ahead, and claims of such that have no verdict yet.
  var leases = Leases()
  var leaseClaims = 0
  /// Whether only its own limit keeps its leased runs from a place.
  var isAtLimit = false
  /// The gate that was last announced; nil when nothing of it waits.
  var announcedGate: Reason?
  /// Whether it was off when last looked at: its missed instants become one row (SB10).
  var wasDisabled = false
  /// The newest success for which the store already has, or had, a request (PL16).
  var settledPredecessors: WallInstant?
  /// How instants are recorded after the store knew one of them already (PL11).
  var instantCare = InstantCare.together
  /// Keys of its claims that have no verdict yet.
  var claimingKeys: Set<String> = []
  /// When old rows were last asked to be removed (DU5).
  var prunedAt: MonotonicInstant?
  /// Whether it is among the jobs that changed since they were planned.
  var isToBePlanned = false

  /// The steps of caution after `instantExists`.
  enum InstantCare: Hashable, Sendable {
    /// All due instants in one recording.
    case together
    /// The oldest due instant alone.
    case oneByOne
    /// The oldest due instant exists: the anchor moves past it without a request.
    case past
  }

  init(snapshot: JobSnapshot) {
    known = KnownJob(snapshot)
  }

  /// As the store last had it.
  var snapshot: JobSnapshot { known.snapshot }
  var identifier: JobIdentifier { snapshot.identifier }

  /// One of its runs is over, its end not recorded yet.
  mutating func settleRun(took: Duration, hasSucceeded: Bool) {
    running -= 1
    settling += 1
    isAtLimit = false
    pace.note(took, hasSucceeded: hasSucceeded)
  }

  /// Whether a leased run is what starts next.
  var hasLeaseInFront: Bool { !leases.isEmpty && !isAtLimit && !hasImmediateInFront }

  /// What a free place would go to; nil when nothing waits for one.
  var frontOfReady: RequestRecord? { hasLeaseInFront ? leases.first?.request : ready.first }

  private var hasImmediateInFront: Bool { ready.first?.gateClass.isImmediate ?? false }

  /// Whether the manifest or a person has switched it off (SB10).
  var isDisabled: Bool {
    snapshot.record.disabledSince != nil || entry?.job.isEnabled == false
  }
}

/// The place of a job among those that wait for a slot (PL5).
struct ReadyRank: Comparable, Hashable, Sendable {
  var isImmediate: Bool
  var qualityOfService: QualityOfService
  var due: WallInstant
  var identifier: JobIdentifier

  static func < (left: Self, right: Self) -> Bool {
    if left.isImmediate != right.isImmediate { return left.isImmediate }
    if left.qualityOfService != right.qualityOfService {
      return left.qualityOfService > right.qualityOfService
    }
    if left.due != right.due { return left.due < right.due }
    return left.identifier < right.identifier
  }
}
