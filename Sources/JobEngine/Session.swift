import JobModel

/// An engine that has joined its store: the cache, the runs, the proposals in flight and the
/// indexes that find what is due without looking at every job.
struct Session: Sendable {
  var jobSet: JobSet
  let configuration: EngineConfiguration
  let fence: Fence
  let seed: UInt64
  let joinedAt: Now
  var phase = Phase.working
  var device: DeviceState

  var jobs = JobTable()
  var runs: [RunNumber: LiveRun] = [:]
  /// Ends of a dead owner's runs that aren't recorded yet (DU2).
  var adoptedEnds: [RunNumber: AdoptedEnd] = [:]

  var proposals: [Proposal] = []
  /// Until when ends of leased runs wait for more of them, and how many of them do; nil when none
  /// does.
  var endsHeldUntil: MonotonicInstant?
  var heldEnds = 0
  var batches: [BatchNumber: [Proposal]] = [:]
  var lastBatch = BatchNumber(0)
  var storeHealth = StoreHealth.working
  var clock: ClockTrust

  /// When each job's next window opens, and by when it must have been noticed (PL6).
  var openings = PriorityIndex<JobIndex, WallInstant>()
  var windowEnds = PriorityIndex<JobIndex, WallInstant>()
  /// Jobs that were refused something that their snapshot doesn't explain.
  var holds = PriorityIndex<JobIndex, MonotonicInstant>()
  var runTimers = PriorityIndex<RunNumber, MonotonicInstant>()
  var scheduledReady = PriorityIndex<JobIndex, ReadyRank>()
  var continuedReady = PriorityIndex<JobIndex, ReadyRank>()
  /// Places taken in each pool: runs of this runner until their ends are recorded, and claims
  /// without a verdict.
  var occupied = PlaceCounts()
  /// Those among them whose runs are over: free for what is claimed already.
  var settling = PlaceCounts()
  /// Those among them whose ends are in the next batch: free for what is claimed after them in it.
  var leaving = PlaceCounts()
  /// Jobs with leased runs, and when those are looked at again.
  var leasingJobs: Set<JobIndex> = []
  var leaseTimers = PriorityIndex<JobIndex, MonotonicInstant>()
  /// Jobs with pending requests.
  var pendingJobs: Set<JobIndex> = []
  /// The jobs that wait for a success of each key (PL16).
  var followers: [JobIdentifier: [JobIdentifier]] = [:]

  /// Requests of this runner's `--now`; those of others are theirs to start.
  var ownImmediate: Set<RequestID> = []
  /// Whether the store says that somebody has taken this owner's runs over.
  var hasDeparted = false

  /// Who follows runs from a terminal.
  var attendance = Attendance()
  /// Whether the shell was asked to watch the machine's memory, and until when no other run is
  /// preempted for it (CP4).
  var watchesMemory = false
  var nextPreemption: MonotonicInstant?
  /// What programs hold beside or after their runs (BG1).
  var held = HeldWork()
  var hasToldOfHeld = false
  /// When the graceful stop was asked for.
  var stoppedAt: MonotonicInstant?

  var freeSpace = FreeSpaceWatch()
  var assumptions = Assumptions()
  var tally = Tally()
  var actions: [Action] = []
  var lastPlan = WakePlan()

  enum Phase: Hashable, Sendable {
    case working
    case stopping(StopUrgency, bound: MonotonicInstant)
    /// The stop's bound has passed; what is left are handlers in this process that run on (EM1).
    case overstaying
    case finished

    var isFinished: Bool { self == .finished }
    var isWorking: Bool { self == .working }
  }

  /// A dead owner's run that was adopted, and how it is to be recorded.
  struct AdoptedEnd: Sendable {
    var end: RunEnd
    var run: RunRecord
    var isProposed = false
  }

  mutating func report(_ notice: Notice) {
    actions.append(.report(notice))
  }

  mutating func propose(_ transition: Transition, for purpose: Proposal.Purpose) {
    proposals.append(Proposal(transition: transition, purpose: purpose))
    if let job = purpose.plannedJob { jobs[job].proposalsInFlight += 1 }
  }

  /// Whether `--job` lets this identifier be scheduled and claimed.
  func isSelected(_ job: JobIndex) -> Bool {
    guard let selection = configuration.selection else { return true }
    return selection.contains(jobs[job].identifier)
      || jobs[job].entry.map { selection.contains($0.job.identifier) } ?? false
  }

  /// Whether only what `--now` names is started (PL19).
  var startsOnlyImmediate: Bool {
    configuration.mode == .once && !configuration.startNow.isEmpty
  }
}

extension Session {
  /// What happened together: taken in, then everything that it made possible or necessary.
  mutating func handle(_ events: [Event], at now: Now) -> [Action] {
    for event in events { absorb(event, at: now) }
    passRunTimers(at: now)
    reviewClock(at: now)
    retryStore(at: now)
    passLeaseTimers(at: now)
    giveUpUnreadPaths(at: now)
    if phase.isWorking { plan(at: now) }
    watchMemoryPressure()
    finishIfDone(at: now)
    sendProposals(at: now)
    if !phase.isFinished { planWake(isForced: events.contains { $0.isWakeUp }, at: now) }
    let result = actions
    actions = []
    return result
  }

  private mutating func absorb(_ event: Event, at now: Now) {
    switch event {
    case .joined, .woke: break
    case .committed(let number, let report): absorb(report, for: number, at: now)
    case .changed(let snapshots):
      for snapshot in snapshots { adopt(snapshot, at: now) }
    case .device(let state): absorb(state, at: now)
    case .host(let event): absorb(event, at: now)
    case .adopted(let records): adopt(records, at: now)
    case .attended(let attendance): absorb(attendance, at: now)
    case .memoryPressure: relieveMemory(at: now)
    case .reloaded(let jobSet): reload(jobSet, at: now)
    case .clockStepped:
      clock.steadySince = now.monotonic
      jobs.noteChanges(of: jobs.indices)
    case .clockSynchronised: trustSynchronisedClock(at: now)
    case .stop(let urgency): stop(urgency, at: now)
    }
  }

  /// Everything proposed at once is one transaction.
  private mutating func sendProposals(at now: Now) {
    guard !proposals.isEmpty, !holdsEnds(at: now) else { return }
    endsHeldUntil = nil
    heldEnds = 0
    haveLeft()
    lastBatch = BatchNumber(lastBatch.value + 1)
    batches[lastBatch] = proposals
    actions.append(.commit(lastBatch, proposals.map(\.transition)))
    proposals = []
  }
}

extension Session {
  /// The place of a run whose end is in the next batch is taken again until the store has it (ST2).
  private mutating func haveLeft() {
    leaving = PlaceCounts()
    for proposal in proposals {
      guard case .end(let number) = proposal.purpose, let run = runs[number] else { continue }
      jobs[run.jobIndex].leaving = 0
    }
  }
}

extension Event {
  /// Whether the shell's timer has been used up by this event.
  var isWakeUp: Bool {
    if case .woke = self { true } else { false }
  }
}
