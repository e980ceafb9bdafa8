internal import JobEngine
internal import JobModel
internal import StoreConformance

/// What the engine itself costs for a run of a short Swift handler, from its submission to its
/// recorded end: two places, a store in memory, and a clock that jumps.
struct EngineBenchmark {
  let jobs: Int

  private static let identifier = JobIdentifier("com.example.nothing")
  private static let places = 2
  private static let group = 1000

  func run() throws {
    var job = JobDefinition(
      identifier: Self.identifier, kind: .processing, action: .handler("nothing"),
      manifestFolder: "/")
    job.maxRunning = Self.places
    var shell = try ShortRuns(of: job, places: Self.places)
    for first in stride(from: 0, to: jobs, by: Self.group) {
      shell.submit(keys: first..<min(first + Self.group, jobs))
      shell.drain()
    }
    let nanoseconds = shell.inEngine.nanoseconds / Int64(max(1, shell.ended))
    print("the engine, for each of \(shell.ended) short runs: \(nanoseconds) ns")
  }
}

/// A shell whose runs take 50 µs and whose store takes a millisecond, and that measures only how long
/// the engine thinks.
private struct ShortRuns {
  private static let runTime = Duration.microseconds(50)
  private static let storeTime = Duration.milliseconds(1)

  private let job: JobDefinition
  private var engine: JobEngine
  private let store = MemoryStore()
  private var now = Now(
    wall: WallInstant(seconds: 1_772_409_600), monotonic: MonotonicInstant(nanoseconds: 1))
  private var plan = WakePlan()
  /// Both in the order in which they become due, for each takes as long as the others.
  private var ends: [(due: MonotonicInstant, run: RunNumber)] = []
  private var answers: [(due: MonotonicInstant, event: Event)] = []
  private(set) var ended = 0
  private(set) var inEngine = Duration.zero

  init(of job: JobDefinition, places: Int) throws {
    self.job = job
    let jobSet = JobSet(
      app: "com.example", concurrency: ConcurrencyLimits(total: places), jobs: [job], digest: "1")
    engine = JobEngine(
      jobSet: jobSet,
      configuration: EngineConfiguration(
        mode: .continuous, machineID: "bench", builtAt: WallInstant(seconds: 1_600_000_000)))
    let owner = try store.join(host: "bench", processID: 1, at: now.wall)
    feed([
      .joined(
        Event.Joining(
          owner: owner, snapshots: [], device: .assumed(at: now.wall), lastRecordedTime: nil,
          seed: 1))
    ])
  }

  mutating func submit(keys: Range<Int>) {
    let submissions = keys.map { key in
      var submission = Submission(
        identifier: job.identifier, kind: job.kind, submittedAt: now.wall)
      submission.key = String(key)
      return Transition.submit(submission)
    }
    feed([.changed(store.commit(submissions, at: now.wall, headLimit: 32).snapshots)])
  }

  /// Passes time until every end is recorded.
  mutating func drain() {
    while let next = [ends.first?.due, answers.first?.due].compactMap(\.self).min() {
      let woken = plan.monotonic.map { $0 <= next } ?? false
      pass(to: woken ? plan.monotonic ?? next : next)
      if woken {
        feed([.woke])
      } else if let end = ends.first, end.due == now.monotonic {
        ends.removeFirst()
        ended += 1
        var ending = RunEnding()
        ending.exitStatus = 0
        feed([.host(.started(end.run)), .host(.ended(end.run, ending))])
      } else {
        feed([answers.removeFirst().event])
      }
    }
  }

  private mutating func pass(to instant: MonotonicInstant) {
    let passed = max(.zero, instant - now.monotonic)
    now.wall = now.wall + passed
    now.monotonic = now.monotonic + passed
  }

  private mutating func feed(_ events: [Event]) {
    let clock = ContinuousClock()
    let start = clock.now
    let actions = engine.handle(events, at: now)
    inEngine += clock.now - start
    for action in actions { perform(action) }
  }

  private mutating func perform(_ action: Action) {
    switch action {
    case .commit(let number, let transitions):
      let report = store.commit(transitions, at: now.wall, headLimit: 32)
      answers.append((now.monotonic + Self.storeTime, .committed(number, report)))
    case .launch(let order): ends.append((now.monotonic + Self.runTime, order.run))
    case .wake(let plan): self.plan = plan
    case .warn, .kill, .release, .setForeground, .watchMemoryPressure, .report,
      .observeFreeSpace, .extendStop, .finish:
      break
    }
  }
}
