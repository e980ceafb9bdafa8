import JobEngine
import JobModel
import StoreConformance
import Testing

/// A shell around the engine in which time is a number: it applies actions against a store in
/// memory and a scripted host, and jumps to the next moment at which anything happens.
final class VirtualRunner {
  var engine: JobEngine
  let world: MemoryWorld
  let store: MemoryStore
  var host = ScriptedHost()
  private(set) var now: Now
  var device: DeviceState
  let owner: Owner
  private(set) var plan = WakePlan()
  private(set) var notices: [Notice] = []
  private(set) var summary: Summary?
  /// Times at which a timer of the engine fired.
  private(set) var wakeUps: [Now] = []
  private(set) var handled = 0
  private(set) var observedPaths: Set<String> = []
  private(set) var stopBounds: [Duration] = []
  /// Changes of runs between foreground and background, in order.
  private(set) var foregrounds: [(run: RunNumber, isForeground: Bool)] = []
  private(set) var watchesMemory = false
  /// What the stop came to, although handlers run on (EM1).
  private(set) var released: Summary?
  private(set) var commits: [[Transition]] = []
  /// Runs that were claimed ahead and given back.
  private(set) var releasedRuns = 0
  /// The highest number of a run that was claimed here.
  private(set) var lastRun: Int64 = 0
  private var events: [Event] = []
  /// Answers of the store never come.
  var holdsVerdicts = false
  /// How long the store takes for a commit.
  var storeDelay = Duration.zero
  private var answers: [(due: MonotonicInstant, event: Event)] = []
  /// Checked after each event unless a test measures speed.
  var checksFixpoint = true
  var keepsRecords = true

  init(
    _ jobs: [JobDefinition], world: MemoryWorld = MemoryWorld(), at now: Now = .start,
    device: DeviceState? = nil, limits: ConcurrencyLimits = ConcurrencyLimits(total: 2),
    lifecycle: LifecycleLimits = LifecycleLimits(),
    configure: (inout EngineConfiguration) -> Void = { _ in }
  ) throws {
    self.world = world
    self.now = now
    self.device = device ?? .assumed(at: now.wall)
    store = MemoryStore(world)
    owner = try store.join(host: "here", processID: 1, at: now.wall)
    var configuration = EngineConfiguration(
      mode: .continuous, machineID: "machine", builtAt: WallInstant(seconds: 1_600_000_000))
    configure(&configuration)
    var jobSet = JobSet(app: "com.example", concurrency: limits, jobs: jobs, digest: "1")
    jobSet.lifecycle = lifecycle
    engine = JobEngine(jobSet: jobSet, configuration: configuration)
  }

  /// Joins, as a runner does at its start; dead owners are adopted.
  func start() throws {
    let joining = Event.Joining(
      owner: owner, snapshots: try store.snapshots(of: nil, headLimit: 32), device: device,
      lastRecordedTime: try store.lastRecordedTime(), seed: try store.seed())
    deliver(.joined(joining))
    for dead in try store.departures() {
      if let runs = try store.adopt(dead, by: owner), !runs.isEmpty { deliver(.adopted(runs)) }
    }
  }

  /// Hands the engine an event and everything that follows at this moment.
  func deliver(_ event: Event) {
    events.append(event)
    settle()
  }

  /// Passes time until `duration` has gone by, or the engine has finished.
  func run(for duration: Duration) {
    let end = now.monotonic + duration
    settle()
    while summary == nil, let next = nextMoment, next <= end {
      advance(to: next)
      if let answer = answers.first, answer.due <= now.monotonic {
        deliver(answers.removeFirst().event)
      } else if let event = host.popDue(by: now.monotonic) {
        deliver(.host(event))
      } else {
        if keepsRecords { wakeUps.append(now) }
        deliver(.woke)
      }
    }
    if summary == nil, now.monotonic < end { advance(to: end) }
  }

  /// Moves the clocks without telling the engine: the machine is off, or asleep.
  func pass(_ duration: Duration, asleep: Bool = false) {
    now.wall = now.wall + duration
    if !asleep { now.monotonic = now.monotonic + duration }
  }

  /// Sets the wall clock, as a person or NTP does.
  func setWall(_ instant: WallInstant) {
    now.wall = instant
    deliver(.clockStepped)
  }

  func update(_ change: (inout DeviceState) -> Void) {
    change(&device)
    deliver(.device(device))
  }

  /// Another process changes the store; the engine hears of it.
  @discardableResult
  func commitElsewhere(_ transitions: Transition...) throws -> [Verdict] {
    try commitElsewhere(transitions)
  }

  func commitElsewhere(_ transitions: [Transition]) throws -> [Verdict] {
    let report = store.commit(transitions, at: now.wall, headLimit: 32)
    deliver(.changed(report.snapshots))
    return report.verdicts
  }

  /// Kills the runner and what it runs.
  func crash() {
    host.vanish()
    world.kill(owner)
  }

  func stop() {
    deliver(.stop(.graceful))
  }

  private var nextMoment: MonotonicInstant? {
    let wall = plan.wall.map { now.monotonic + max(.zero, $0 - now.wall) }
    return [host.nextDue, plan.monotonic, wall, answers.first?.due].compactMap(\.self).min()
  }

  private func advance(to instant: MonotonicInstant) {
    let passed = max(.zero, instant - now.monotonic)
    now.wall = now.wall + passed
    now.monotonic = now.monotonic + passed
  }

  func settle() {
    var bound = 100_000
    while summary == nil, !events.isEmpty, bound > 0 {
      bound -= 1
      perform(engine.handle(events.removeFirst(), at: now))
      handled += 1
      if checksFixpoint { checkFixpoint() }
    }
    #expect(bound > 0, "the engine keeps itself busy without time passing")
  }

  private func perform(_ actions: [Action]) {
    for action in actions {
      switch action {
      case .commit(let number, let transitions):
        if keepsRecords { commits.append(transitions) }
        let report = store.commit(transitions, at: now.wall, headLimit: 32)
        for case (.release, .applied) in zip(transitions, report.verdicts) { releasedRuns += 1 }
        for case .applied(.claimed(let run)) in report.verdicts { lastRun = run.value }
        if !holdsVerdicts { answer(.committed(number, report)) }
      case .launch(let order):
        if checksFixpoint { #expect(isRecorded(order), "launched without an applied claim") }
        host.launch(order, at: now.monotonic)
      case .warn(let run, _): host.warn(run, at: now.monotonic)
      case .setForeground(let run, let isForeground): foregrounds.append((run, isForeground))
      case .watchMemoryPressure(let isNeeded): watchesMemory = isNeeded
      case .kill(let run): host.kill(run, at: now.monotonic)
      case .wake(let plan): take(plan)
      case .report(let notice): if keepsRecords { notices.append(notice) }
      case .observeFreeSpace(let paths):
        observedPaths = paths
        for path in paths where !path.hasPrefix("/missing") && device.freeSpace[path] == nil {
          device.freeSpace[path] = Reading(1 << 40, source: "statvfs", since: now.wall)
        }
        events.append(.device(device))
      case .extendStop(let bound): stopBounds.append(bound)
      case .release(let summary): released = summary
      case .finish(let summary): self.summary = summary
      }
    }
  }

  /// Answers come in the order of the commits.
  private func answer(_ event: Event) {
    if storeDelay == .zero, answers.isEmpty {
      events.append(event)
    } else {
      let due = now.monotonic + storeDelay
      answers.append((max(due, answers.last?.due ?? due), event))
    }
  }

  private func take(_ plan: WakePlan) {
    self.plan = plan
    if let monotonic = plan.monotonic { #expect(monotonic > now.monotonic, "a wake in the past") }
    if let wall = plan.wall { #expect(wall > now.wall, "a wake in the past") }
  }

  /// The same state at the same time has nothing more to do.
  private func checkFixpoint() {
    var copy = engine
    let more = copy.handle(.woke, at: now).filter {
      if case .wake = $0 { false } else { true }
    }
    #expect(summary != nil || more.isEmpty, "no fixpoint: \(more)")
  }
}

extension Now {
  /// 2026-03-02T00:00:00Z, a Monday.
  static let start = Now(
    wall: WallInstant(seconds: 1_772_409_600), monotonic: MonotonicInstant(nanoseconds: 1_000))
}
