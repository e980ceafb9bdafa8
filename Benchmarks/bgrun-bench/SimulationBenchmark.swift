internal import JobEngine
internal import JobModel
internal import StoreConformance

/// The engine by itself, with a store in memory and a clock that jumps: how long a year of 100 jobs
/// takes, and how often a day of them wakes the machine with and without `tolerance`.
struct SimulationBenchmark {
  /// Days to simulate; fewer than a year are for a profiler.
  let days: Int

  private static let jobCount = 100

  func run() throws {
    let clock = ContinuousClock()
    var year = try VirtualMachine(jobs(spreadOver: 86_400, tolerance: .zero))
    let taken = try clock.measure { try year.run(for: .seconds(Int64(days) * 86_400)) }
    print(
      "\(days == 365 ? "a year" : "\(days) days") of 100 jobs: \(taken.microseconds / 1000) ms, \(year.launches) runs"
    )
    for minutes in [0, 15] {
      var day = try VirtualMachine(
        jobs(spreadOver: 86_400, tolerance: .seconds(Int64(60 * minutes))))
      try day.run(for: .seconds(86_400))
      print("wake-ups a day with a tolerance of \(minutes) min: \(day.wakeUps)")
    }
  }

  /// Daily jobs, each at a minute of its own from a fixed sequence.
  private func jobs(spreadOver seconds: Int, tolerance: Duration) -> [JobDefinition] {
    var state: UInt64 = 1
    return (0..<Self.jobCount).map { number in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let minute = Int(state >> 33) % (seconds / 60)
      var job = JobDefinition(
        identifier: JobIdentifier("com.example.job\(number)"), kind: .processing,
        action: .command(["true"]), manifestFolder: "/")
      job.tolerance = tolerance
      if case .success(let cron) = CronExpression.parse("\(minute % 60) \(minute / 60) * * *") {
        job.schedule = SchedulePolicy(schedule: .cron(cron, .utc))
      }
      return job
    }
  }
}

/// A shell without a machine: each run takes no time and succeeds.
private struct VirtualMachine {
  private var engine: JobEngine
  private let store = MemoryStore()
  private var now = Now(
    wall: WallInstant(seconds: 1_772_409_600), monotonic: MonotonicInstant(nanoseconds: 1))
  private var plan = WakePlan()
  private var events: [Event] = []
  private(set) var launches = 0
  private(set) var wakeUps = 0

  init(_ jobs: [JobDefinition]) throws {
    let jobSet = JobSet(
      app: "com.example", concurrency: ConcurrencyLimits(total: 100), jobs: jobs, digest: "1")
    engine = JobEngine(
      jobSet: jobSet,
      configuration: EngineConfiguration(
        mode: .continuous, machineID: "bench", builtAt: WallInstant(seconds: 1_600_000_000)))
    let owner = try store.join(host: "bench", processID: 1, at: now.wall)
    let joining = Event.Joining(
      owner: owner, snapshots: [], device: .assumed(at: now.wall), lastRecordedTime: nil, seed: 1)
    events = [.joined(joining)]
    settle()
  }

  mutating func run(for duration: Duration) throws {
    let end = now.monotonic + duration
    while let next = nextWake, next <= end {
      let passed = max(.zero, next - now.monotonic)
      now.wall = now.wall + passed
      now.monotonic = next
      wakeUps += 1
      events.append(.woke)
      settle()
    }
  }

  private var nextWake: MonotonicInstant? {
    let wall = plan.wall.map { now.monotonic + max(.zero, $0 - now.wall) }
    return [plan.monotonic, wall].compactMap(\.self).min()
  }

  private mutating func settle() {
    var next = 0
    while next < events.count {
      let event = events[next]
      next += 1
      for action in engine.handle(event, at: now) { perform(action) }
    }
    events = []
  }

  private mutating func perform(_ action: Action) {
    switch action {
    case .commit(let number, let transitions):
      events.append(.committed(number, store.commit(transitions, at: now.wall, headLimit: 32)))
    case .launch(let order):
      launches += 1
      var ending = RunEnding()
      ending.exitStatus = 0
      events.append(.host(.started(order.run)))
      events.append(.host(.ended(order.run, ending)))
    case .wake(let plan): self.plan = plan
    case .warn, .kill, .release, .setForeground, .watchMemoryPressure, .report,
      .observeFreeSpace, .extendStop, .finish:
      break
    }
  }
}
