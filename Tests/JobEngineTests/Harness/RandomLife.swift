import JobEngine
import JobModel
import StoreConformance
import Testing

/// Random jobs, random programs and random events, the same for a seed; invariants are checked
/// after each step.
struct RandomLife {
  private var generator: SeededGenerator
  private let jobs: [JobDefinition]
  private let limits = ConcurrencyLimits(total: 3)
  private let seed: UInt64
  private let world = MemoryWorld()
  private var runner: VirtualRunner
  private var isStoreBroken = false
  /// Whether every other job is a handler in the runner's own process (EM1).
  private let isEmbedded: Bool
  /// Numbers of runs that were claimed ahead and given back by earlier runners.
  private var releasedBefore = 0
  private var lastRunBefore: Int64 = 0
  private var released: Int { releasedBefore + runner.releasedRuns }

  init(seed: UInt64) throws {
    self.seed = seed
    var generator = SeededGenerator(seed: seed)
    let isEmbedded = seed.isMultiple(of: 2)
    self.isEmbedded = isEmbedded
    jobs = (0..<6).map { number in
      var job = Self.job(number, &generator)
      if isEmbedded, number.isMultiple(of: 2) { job.action = .handler("h") }
      return job
    }
    self.generator = generator
    runner = try Self.runner(jobs, world, limits, isEmbedded, at: .start)
    try begin()
  }

  private static func runner(
    _ jobs: [JobDefinition], _ world: MemoryWorld, _ limits: ConcurrencyLimits, _ isEmbedded: Bool,
    at now: Now
  ) throws -> VirtualRunner {
    try VirtualRunner(jobs, world: world, at: now, limits: limits) {
      $0.handlersInProcess = isEmbedded ? .hold : nil
    }
  }

  private static func job(_ number: Int, _ random: inout SeededGenerator) -> JobDefinition {
    var job = JobDefinition(
      identifier: JobIdentifier("com.example.job\(number)"),
      kind: number == 5
        ? .continuedProcessing : number.isMultiple(of: 2) ? .processing : .appRefresh,
      action: .command(["x"]), manifestFolder: "/")
    job.maxRunning = Int.random(in: 1...3, using: &random)
    if number == 2 { job.action = .handler(job.identifier.text) }
    job.timeLimit = random.chance(3) ? nil : .seconds(Int.random(in: 20...200, using: &random))
    job.expirationGrace = .seconds(Int.random(in: 0...10, using: &random))
    job.retry.maxAttempts = Int.random(in: 1...3, using: &random)
    job.retry.initialDelay = .seconds(Int.random(in: 0...60, using: &random))
    job.conditions.requiresExternalPower = random.chance(3)
    job.conditions.network = random.chance(4) ? .any : .notRequired
    job.tolerance = random.chance(3) ? .seconds(90) : .zero
    job.strategy = SubmissionStrategy.allCases.randomElement(using: &random) ?? .queue
    if number < 4 {
      var policy = SchedulePolicy(
        schedule: random.chance(3)
          ? .cron(expression("*/5 * * * *"), .utc)
          : .every(.seconds(Int.random(in: 20...600, using: &random))))
      policy.catchUp = CatchUp.allCases.randomElement(using: &random) ?? .latest
      policy.catchUpLimit = 3
      policy.startWithin = random.chance(3) ? .seconds(120) : nil
      policy.randomDelay = random.chance(3) ? .seconds(30) : .zero
      job.schedule = policy
    } else if number == 4 {
      job.afterSuccessOf = ["com.example.job0"]
    } else {
      job.stallAfter = .seconds(40)
      job.strategy = .queue
    }
    return job
  }

  private mutating func begin() throws {
    let seed = seed
    runner.host.script = { order, _ in
      var random = SeededGenerator(seed: seed &+ UInt64(order.run.value))
      let warned: [Behaviour.OnWarning] = [
        .dies, .ignores, .exits(after: .seconds(2), status: 0),
        .exits(after: .seconds(1), status: 1),
      ]
      if !order.job.action.isCommand, !random.chance(30) {
        return Behaviour(takes: .milliseconds(1), completion: .succeeded)
      }
      var behaviour = Behaviour(
        takes: random.chance(8) ? nil : .seconds(Int.random(in: 0...150, using: &random)),
        status: [0, 0, 0, 1, 75].randomElement(using: &random) ?? 0,
        signal: random.chance(10) ? 11 : nil,
        onWarning: warned.randomElement(using: &random) ?? .dies,
        reports: [(.seconds(10), ProgressReport(fraction: 0.5))],
        launchFailure: random.chance(20) ? "no such program" : nil)
      guard !order.job.action.isCommand else { return behaviour }
      // A handler always ends by itself, some of them late.
      behaviour.takes = behaviour.takes ?? .seconds(200)
      behaviour.launchFailure = nil
      behaviour.completion =
        behaviour.status == 0 ? .succeeded : .failed(.handlerThrew, detail: "no")
      behaviour.onWarning = order.run.value.isMultiple(of: 2) ? .ignores : .completes(.succeeded)
      return behaviour
    }
    try runner.start()
  }

  /// One random event, then some time.
  mutating func step() throws {
    let job = jobs.randomElement(using: &generator) ?? jobs[0]
    switch Int.random(in: 0..<19, using: &generator) {
    case 18 where !job.action.isCommand:
      for key in 0..<40 { try runner.submit(job.identifier, key: "\(key)", kind: job.kind) }
    case 0...2:
      try runner.submit(
        job.identifier, key: "\(Int.random(in: 0..<3, using: &generator))", kind: job.kind)
    case 3: runner.update { $0.externalPower.value.toggle() }
    case 4:
      runner.update { $0.connectivity.value = $0.connectivity.value == .none ? .metered : .none }
    case 5: try runner.cancel(job.identifier, key: generator.chance(2) ? nil : "1")
    case 6: try stopSomeRun()
    case 7: try runner.switchJob(job.identifier, isOn: generator.chance(2))
    case 8: breakStore(!isStoreBroken)
    case 9: runner.pass(.seconds(Int.random(in: 0..<4000, using: &generator)), asleep: true)
    case 10:
      runner.setWall(
        runner.now.wall + .seconds(Int.random(in: -200_000..<4000, using: &generator)))
    case 11: reload()
    case 12: try restart()
    case 13:
      runner.storeDelay = .milliseconds(
        [0, 0, 5, 900, 20_000].randomElement(using: &generator) ?? 0)
    case 14:
      let runs = Set(runner.host.live.keys.filter { _ in generator.chance(2) })
      runner.deliver(.attended(Attendance(followed: runs, interactive: runs)))
    case 15: if runner.watchesMemory { runner.deliver(.memoryPressure) }
    case 16:
      for run in runner.host.live.keys.sorted() where generator.chance(2) {
        try runner.commitElsewhere(.goOnWaiting(run))
      }
    default: break
    }
    runner.run(for: .seconds(Int.random(in: 0..<120, using: &generator)))
    checkLimits()
  }

  /// Ends in good order: everything that was claimed has ended once.
  mutating func finish() throws {
    breakStore(false)
    runner.storeDelay = .zero
    runner.run(for: .seconds(60))
    runner.stop()
    runner.run(for: .seconds(60))
    #expect(runner.summary != nil || runner.released != nil, "PL14: the stop is over")
    // Handlers that overstay end, and are recorded.
    runner.run(for: .seconds(200))
    #expect(runner.summary?.overruns.isEmpty == true)
    let runs = try runner.history().compactMap(\.run)
    #expect(Set(runs).count == runs.count, "a run has two ends")
    let claimed = try runner.liveRuns() + runs.count + released
    #expect(claimed == max(lastRunBefore, runner.lastRun), "a claimed run has no end")
    #expect(try runner.liveRuns() == 0)
    let instants = try runner.history().filter { $0.run != nil && $0.attempt == 1 }
    #expect(!instants.isEmpty)
  }

  private mutating func stopSomeRun() throws {
    guard let run = runner.host.live.keys.sorted().randomElement(using: &generator) else { return }
    try runner.commitElsewhere(.requestStop(StopRequest(run: run, reason: .userCancelled)))
  }

  private mutating func breakStore(_ isBroken: Bool) {
    isStoreBroken = isBroken
    world.fail(
      with: isBroken ? StoreFailure(cause: .diskFull, sentence: "no space left") : nil)
  }

  private mutating func reload() {
    var changed = jobs
    if generator.chance(2) { changed.remove(at: Int.random(in: 0..<jobs.count, using: &generator)) }
    runner.deliver(
      .reloaded(JobSet(app: "com.example", concurrency: limits, jobs: changed, digest: "2")))
  }

  private mutating func restart() throws {
    guard !isStoreBroken else { return }
    runner.crash()
    releasedBefore += runner.releasedRuns
    lastRunBefore = max(lastRunBefore, runner.lastRun)
    runner.pass(.seconds(Int.random(in: 0..<5000, using: &generator)))
    runner = try Self.runner(jobs, world, limits, isEmbedded, at: runner.now)
    try begin()
  }

  private func checkLimits() {
    let running = runner.host.launched.filter { runner.host.live[$0.run] != nil }
    let continued = running.count { $0.job.kind == .continuedProcessing }
    #expect(running.count - continued <= limits.total)
    #expect(continued <= limits.continuedProcessing)
    for job in jobs {
      let own = running.filter { $0.request.identifier == job.identifier }
      #expect(own.count <= job.maxRunning)
      #expect(Set(own.map(\.request.key)).count == own.count, "a key runs twice")
    }
  }
}
