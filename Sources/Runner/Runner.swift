package import DeviceConditions
import Glibc
import JobEngine
package import JobModel
package import LinuxSystem

/// The shell around the engine: one loop that feeds it events and performs its actions. It decides
/// nothing.
///
/// Everything here is on the thread that calls `run`; the store works on its own.
package final class Runner {
  /// What joining the store found.
  private struct Joined: Sendable {
    var owner: Owner
    var livenessDescriptor: Int32?
    var revision: Revision
    var snapshots: [JobSnapshot]
    var lastRecordedTime: WallInstant?
    var seed: UInt64
    /// Owners that died before, with the runs that this one has adopted.
    var adopted: [(dead: Owner, runs: [RunRecord])]
  }

  private let configuration: RunnerConfiguration
  private let loop: EventLoop
  private let host: any TaskHost
  private let device: DeviceObserver
  private let serviceManager: ServiceManager
  private let store: StoreThread
  private let joined: Joined
  private var owner: Owner { joined.owner }

  private var engine: JobEngine
  private var signals: SignalSource?
  private var monotonicTimer: MonotonicTimer?
  private var wallTimer: WallTimer?
  private var memoryTimer: MonotonicTimer?
  private var storeWatch: StoreWatch?
  private var manifestWatch: ManifestWatch?

  private var isLooking = false
  private var hasToLookAgain = false
  private var stoppedBy: Int32?
  private var exit: RunnerExit?
  /// Events that came up in this round of the loop: they are handled together at its end, so that
  /// what came together is planned once and goes into one transaction.
  private var waiting: [Event] = []
  private var isHandling = false

  /// Listens to signals, joins the store, takes over the runs of owners that died, and watches
  /// everything that can change from then on; nothing runs before `run`.
  ///
  /// - Parameters:
  ///   - makeHost: makes the host of runs. It is given this owner and the descriptor that proves it
  ///     alive, for whoever cleans up after it to keep open, so that a death shows only when the
  ///     leftovers are gone (DU2).
  ///   - open: opens the store, called on its own thread.
  /// - Throws: `StoreFailure` when the store can't be joined, `SystemError` when the kernel refuses
  ///   a source of events.
  package init(
    _ configuration: RunnerConfiguration, loop: EventLoop, device: DeviceObserver,
    makeHost: (Owner, _ livenessDescriptor: Int32?) throws(SystemError) -> any TaskHost,
    open: @escaping @Sendable () throws(StoreFailure) -> any JobStore
  ) throws {
    self.configuration = configuration
    self.loop = loop
    self.device = device
    serviceManager = ServiceManager(environment: configuration.environment)
    engine = JobEngine(
      jobSet: configuration.loaded.jobSet, configuration: configuration.engine)

    var received: (Int32) -> Void = { _ in }
    signals = try SignalSource([SIGTERM, SIGINT, SIGHUP], on: loop) { received($0) }
    let store = try StoreThread(headLimit: configuration.engine.headLimit, open: open)
    self.store = store
    joined = try Self.join(store, configuration)
    store.follow(after: joined.revision)
    host = try makeHost(joined.owner, joined.livenessDescriptor)
    received = { [unowned self] signal in take(signal) }
    try listen()
  }

  private static func join(
    _ store: StoreThread, _ configuration: RunnerConfiguration
  ) throws(StoreFailure) -> Joined {
    let hostName = configuration.hostName
    let stored = configuration.loaded.stored
    let headLimit = configuration.engine.headLimit
    let now = now()
    return try store.wait { store throws(StoreFailure) in
      let owner = try store.join(host: hostName, processID: getpid(), at: now.wall)
      try store.saveJobSet(stored)
      let lastRecordedTime = try store.lastRecordedTime()
      let adopted = try Self.adopt(in: store, by: owner)
      let revision = try store.changes(since: Revision(.max)).0
      return Joined(
        owner: owner, livenessDescriptor: store.livenessDescriptor(of: owner), revision: revision,
        snapshots: try store.snapshots(of: nil, headLimit: headLimit),
        lastRecordedTime: lastRecordedTime, seed: try store.seed(), adopted: adopted)
    }
  }

  /// Takes over the runs of each owner that died (DU2).
  private static func adopt(
    in store: any JobStore, by owner: Owner
  ) throws(StoreFailure) -> [(dead: Owner, runs: [RunRecord])] {
    var adopted: [(dead: Owner, runs: [RunRecord])] = []
    for dead in try store.departures() {
      if let runs = try store.adopt(dead, by: owner), !runs.isEmpty {
        adopted.append((dead, runs))
      }
    }
    return adopted
  }

  /// Runs jobs until the engine is done, and leaves the store.
  ///
  /// - Throws: `SystemError` when the loop can't wait or a source can't be made.
  package func run() throws(SystemError) -> RunnerExit {
    serviceManager.ready(jobs: configuration.loaded.jobSet.jobs.count)
    publishDevice(device.current)
    removeLeftovers(of: joined.adopted[...]) { [unowned self] in start() }
    if exit == nil { try loop.run() }
    leave()
    return exit ?? RunnerExit(summary: Summary(), stoppedBy: stoppedBy)
  }

  /// The engine learns what is there; the runs of dead owners are recorded as interrupted first.
  private func start() {
    let joining = Event.Joining(
      owner: owner, snapshots: joined.snapshots, device: device.current,
      lastRecordedTime: joined.lastRecordedTime, seed: joined.seed,
      adopted: joined.adopted.flatMap(\.runs))
    waiting.insert(.joined(joining), at: 0)
    handleWaiting()
    // What others did since the join was seen by nobody.
    readChanges()
    releaseMemoryLater()
  }

  /// What reading manifests and first planning took is given back, once it has been used: a runner
  /// may wait for days.
  private func releaseMemoryLater() {
    memoryTimer?.set(nanoseconds: Clocks.now().monotonic + 2_000_000_000)
  }

  private func removeLeftovers(
    of adopted: ArraySlice<(dead: Owner, runs: [RunRecord])>, then done: @escaping () -> Void
  ) {
    guard let first = adopted.first else { return done() }
    host.removeLeftovers(of: first.runs, owner: first.dead) { [unowned self] in
      removeLeftovers(of: adopted.dropFirst(), then: done)
    }
  }

  // MARK: Sources of events

  private func listen() throws(SystemError) {
    loop.roundEnded = { [unowned self] in handleWaiting() }
    monotonicTimer = try MonotonicTimer(on: loop) { [unowned self] in feed(.woke) }
    wallTimer = try WallTimer(
      on: loop, due: { [unowned self] in feed(.woke) },
      stepped: { [unowned self] in clockStepped() })
    memoryTimer = try MonotonicTimer(on: loop) { Memory.releaseUnused() }
    host.deliver = { [unowned self] event in feed(.host(event)) }
    device.start(
      onChange: { [unowned self] state in
        publishDevice(state)
        feed(.device(state))
      }, announced: { [unowned self] in take($0) })
    device.delayShutdown()
    storeWatch = try StoreWatch(
      directory: configuration.stateDirectory, loop: loop,
      changed: { [unowned self] in readChanges() },
      ownerGone: { [unowned self] in adoptDepartures() })
    manifestWatch = try ManifestWatch(paths: configuration.watchedManifests, loop: loop) {
      [unowned self] in reload()
    }
    EventLoop.requestPunctuality()
    if Clocks.isSynchronised == true { waiting.append(.clockSynchronised) }
  }

  private func take(_ signal: Int32) {
    guard signal != SIGHUP else { return reload() }
    let isFirst = stoppedBy == nil
    if isFirst { stoppedBy = signal }
    feed(.stop(isFirst ? .graceful : .immediate))
  }

  private func take(_ announcement: MachineAnnouncement) {
    switch announcement {
    case .resumed: feed(.woke)
    // The service manager's signal follows, and is the first: it doesn't cut the grace short.
    case .shuttingDown: feed(.stop(.graceful))
    }
  }

  private func clockStepped() {
    feed(.clockStepped)
    if Clocks.isSynchronised == true { feed(.clockSynchronised) }
  }

  private func reload() {
    guard stoppedBy == nil else { return }
    serviceManager.reloading()
    switch configuration.reload() {
    case .valid(let loaded):
      store.perform { store in
        // The copy serves other commands; the next reload or start writes it again.
        try? store.saveJobSet(loaded.stored)
      }
      feed(.reloaded(loaded.jobSet))
      serviceManager.ready(jobs: loaded.jobSet.jobs.count)
      releaseMemoryLater()
    case .invalid:
      serviceManager.ready(jobs: configuration.loaded.jobSet.jobs.count)
    }
  }

  // MARK: The store, seen from the loop

  /// Reads what others have changed since the last look.
  ///
  /// One look at a time: writes that come meanwhile are seen by the one that follows it.
  private func readChanges() {
    guard !isLooking else {
      hasToLookAgain = true
      return
    }
    isLooking = true
    store.readChanges { [loopSide] snapshots in
      loopSide.post { runner in
        runner.isLooking = false
        if !snapshots.isEmpty { runner.feed(.changed(snapshots)) }
        if runner.hasToLookAgain {
          runner.hasToLookAgain = false
          runner.readChanges()
        }
      }
    }
  }

  /// Takes over the runs of owners that died; their leftovers go first, then the engine ends them
  /// (DU2).
  private func adoptDepartures() {
    let owner = owner
    let loopSide = loopSide
    store.perform { store in
      // An owner that can't be read now is found at the next departure or start.
      let adopted = (try? Self.adopt(in: store, by: owner)) ?? []
      guard !adopted.isEmpty else { return }
      loopSide.post { runner in
        runner.removeLeftovers(of: adopted[...]) {
          runner.feed(.adopted(adopted.flatMap(\.runs)))
        }
      }
    }
  }

  private func publishDevice(_ state: DeviceState) {
    let owner = owner
    store.perform { store in
      // Only shown to other commands; the next change publishes again.
      try? store.publish(state, of: owner)
    }
  }

  private func leave() {
    let owner = owner
    // A store that can't be written finds this owner departed at the next start.
    _ = try? store.wait { store throws(StoreFailure) in try store.leave(owner) }
    store.stop()
  }

  // MARK: The engine

  private var loopSide: ReturnAddress { ReturnAddress(self, poster: loop.poster) }

  private func feed(_ event: Event) { waiting.append(event) }

  private func handleWaiting() {
    guard !isHandling else { return }
    isHandling = true
    defer { isHandling = false }
    while !waiting.isEmpty {
      let events = waiting
      waiting = []
      let now = Self.now()
      for action in engine.handle(events, at: now) {
        perform(action, at: now)
      }
    }
  }

  private func perform(_ action: Action, at now: Now) {
    switch action {
    case .commit(let batch, let transitions):
      store.commit(transitions, at: now.wall) { [loopSide] report in
        loopSide.post { runner in
          runner.removePrunedOutput(transitions, report.verdicts)
          runner.feed(.committed(batch, report))
        }
      }
    case .launch(let order): host.launch(order)
    case .warn(let run, let reason): host.warn(run, reason: reason)
    case .kill(let run): host.kill(run)
    case .wake(let plan):
      monotonicTimer?.set(nanoseconds: plan.monotonic?.nanoseconds)
      wallTimer?.set(nanoseconds: plan.wall.map { $0.microseconds.multipliedSaturating(by: 1000) })
    case .report(let notice):
      configuration.show(notice, now)
    case .observeFreeSpace(let paths): device.observeFreeSpace(paths)
    case .extendStop(let bound): serviceManager.stopping(within: bound)
    case .finish(let summary):
      exit = RunnerExit(summary: summary, stoppedBy: stoppedBy)
      loop.stop()
    }
  }

  /// The history has let go of these runs, so their output goes too (DU5).
  private func removePrunedOutput(_ transitions: [Transition], _ verdicts: [Verdict]) {
    for case (.prune(let identifier, _), .applied(.pruned(let runs))) in zip(transitions, verdicts)
    where !runs.isEmpty {
      host.removeOutput(of: runs, of: identifier)
    }
  }

  private static func now() -> Now {
    let clocks = Clocks.now()
    return Now(
      wall: WallInstant(microseconds: clocks.wall / 1000),
      monotonic: MonotonicInstant(nanoseconds: clocks.monotonic))
  }
}

extension Int64 {
  fileprivate func multipliedSaturating(by factor: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? .max : product
  }
}
