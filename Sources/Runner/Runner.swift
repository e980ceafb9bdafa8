package import DeviceConditions
import Glibc
import JobEngine
package import JobModel
package import LinuxSystem
package import TaskHosts

/// The shell around the engine: one loop that feeds it events and performs its actions. It decides
/// nothing.
///
/// Everything here is on the thread that calls `run`; the store works on its own.
package final class Runner {
  private let configuration: RunnerConfiguration
  private let loop: EventLoop
  private let host: any TaskHost
  private let device: DeviceObserver
  private let serviceManager: ServiceManager
  private let store: StoreThread
  private let joined: JoinedStore
  private var jobSet: JobSet
  private var owner: Owner { joined.owner }

  private var engine: JobEngine
  private var signals: SignalSource?
  private var monotonicTimer: MonotonicTimer?
  private var wallTimer: WallTimer?
  private var memoryTimer: MonotonicTimer?
  private var storeWatch: StoreWatch?
  private var manifestWatch: ManifestWatch?
  private var attendanceWatch: AttendanceWatch?
  /// Present while the engine asks for it.
  private var memoryPressure: MemoryPressure?

  private var isLooking = false
  /// What was told while a look was under way.
  private var nextLook: StoreWatch.Sign?
  private var lastQuestion = 0
  private var awaitedAnswers: [Int: (SchedulerAnswer) -> Void] = [:]
  private var stoppedBy: Int32?
  private var isStopping = false
  private var exit: RunnerExit?
  /// Events that came up in this round of the loop: they are handled together at its end, so that
  /// what came together is planned once and goes into one transaction.
  private var waiting: [Event] = []
  private var isHandling = false

  /// Listens to signals where the process is its own, joins the store, takes over the runs of owners
  /// that died, and watches everything that can change from then on; nothing runs before `run`.
  ///
  /// - Parameters:
  ///   - makeHost: makes the host of runs. It is given this owner, the descriptor that proves it
  ///     alive, for whoever cleans up after it to keep open, so that a death shows only when the
  ///     leftovers are gone (DU2), and what answers the questions of the programs that it hosts.
  ///   - open: opens the store, called on its own thread.
  /// - Throws: `StoreFailure` when the store can't be joined, `SystemError` when the kernel refuses
  ///   a source of events.
  package init(
    _ configuration: RunnerConfiguration, loop: EventLoop, device: DeviceObserver,
    makeHost: (Owner, _ livenessDescriptor: Int32?, @escaping WorkerHost.Consultation)
      throws(SystemError) -> any TaskHost,
    open: @escaping @Sendable () throws(StoreFailure) -> any JobStore
  ) throws {
    self.configuration = configuration
    self.loop = loop
    self.device = device
    jobSet = configuration.loaded.jobSet
    let told = configuration.ownsProcess ? configuration.environment : [:]
    serviceManager = ServiceManager(environment: told)
    engine = JobEngine(
      jobSet: configuration.loaded.jobSet, configuration: configuration.engine)

    var received: (Int32) -> Void = { _ in }
    if configuration.ownsProcess {
      signals = try SignalSource([SIGTERM, SIGINT, SIGHUP], on: loop) { received($0) }
    }
    let store = try StoreThread(headLimit: configuration.engine.headLimit, open: open)
    self.store = store
    do {
      joined = try JoinedStore.join(store, configuration, at: Self.now())
    } catch {
      store.stop()
      throw error
    }
    store.follow(after: joined.revision)
    var consult: WorkerHost.Consultation = { _, _ in }
    do throws(SystemError) {
      host = try makeHost(joined.owner, joined.livenessDescriptor) { consult($0, $1) }
    } catch {
      Self.leave(store, joined.owner)
      throw error
    }
    consult = { [unowned self] question, answer in self.answer(question, answer) }
    received = { [unowned self] signal in take(signal) }
    do throws(SystemError) {
      try listen()
    } catch {
      Self.leave(store, owner)
      throw error
    }
  }

  /// Stops this runner from any thread, also before `run`.
  package var stopHandle: RunnerStop { RunnerStop(loopSide) }

  /// Runs jobs until the engine is done, and leaves the store.
  ///
  /// With handlers that run on in a process that has to end, the store isn't left: the owner's death
  /// tells of their ends (DU2).
  ///
  /// - Throws: `SystemError` when the loop can't wait or a source can't be made.
  package func run() throws(SystemError) -> RunnerExit {
    serviceManager.ready(jobs: configuration.loaded.jobSet.jobs.count)
    publishDevice(device.current)
    removeLeftovers(of: joined.adopted[...]) { [unowned self] in start() }
    if exit == nil { try loop.run() }
    if exit?.summary.overruns.isEmpty ?? true { Self.leave(store, owner) }
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
    readChanges(.silent)
    attendanceWatch?.look()
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
    // It takes every thread's lock on the heap for a moment.
    if configuration.ownsProcess {
      memoryTimer = try MonotonicTimer(on: loop) { [store] in store.releaseUnusedMemory() }
    }
    host.deliver = { [unowned self] event in
      if case .holding(let held) = event { device.delaySleep(!held.isEmpty) }
      feed(.host(event))
    }
    device.start(
      onChange: { [unowned self] state in
        publishDevice(state)
        feed(.device(state))
      }, announced: { [unowned self] in take($0) })
    if configuration.ownsProcess { device.delayShutdown() }
    storeWatch = try StoreWatch(
      directory: configuration.stateDirectory, loop: loop,
      changed: { [unowned self] in readChanges($0) },
      ownerGone: { [unowned self] in adoptDepartures() })
    manifestWatch = try ManifestWatch(
      paths: configuration.watchedManifests, loop: loop, isOutdated: configuration.isOutdated
    ) { [unowned self] in reload() }
    attendanceWatch = try AttendanceWatch(
      ForegroundFolder(stateDirectory: configuration.stateDirectory), loop: loop
    ) { [unowned self] attendance in feed(.attended(attendance)) }
    EventLoop.requestPunctuality()
    if Clocks.isSynchronised == true { waiting.append(.clockSynchronised) }
  }

  private func take(_ signal: Int32) {
    guard signal != SIGHUP else { return reload() }
    let isFirst = stoppedBy == nil
    if isFirst { stoppedBy = signal }
    stop(isFirst ? .graceful : .immediate)
  }

  func stop(_ urgency: StopUrgency) {
    isStopping = true
    feed(.stop(urgency))
  }

  private func take(_ announcement: MachineAnnouncement) {
    switch announcement {
    case .sleeping: host.enterBackground()
    case .resumed:
      host.enterForeground()
      feed(.woke)
    // The service manager's signal follows, and is the first: it doesn't cut the grace short.
    // Of somebody else's process its owner decides.
    case .shuttingDown: if configuration.ownsProcess { feed(.stop(.graceful)) }
    }
  }

  private func clockStepped() {
    feed(.clockStepped)
    if Clocks.isSynchronised == true { feed(.clockSynchronised) }
  }

  private func reload() {
    guard !isStopping else { return }
    serviceManager.reloading()
    switch configuration.reload() {
    case .valid(let loaded):
      store.perform { store in
        // The copy serves other commands; the next reload or start writes it again.
        try? store.saveJobSet(loaded.stored)
      }
      jobSet = loaded.jobSet
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
  private func readChanges(_ sign: StoreWatch.Sign) {
    guard !isLooking else {
      nextLook = nextLook == .silent ? .silent : sign
      return
    }
    isLooking = true
    store.readChanges(awaitingWriter: sign == .silent) { [loopSide] snapshots in
      loopSide.post { runner in
        runner.isLooking = false
        if !snapshots.isEmpty { runner.feed(.changed(snapshots)) }
        guard let next = runner.nextLook else { return }
        runner.nextLook = nil
        runner.readChanges(next)
      }
    }
  }

  /// Answers a question of a program in a worker.
  private func answer(
    _ question: SchedulerQuestion, _ answer: @escaping (SchedulerAnswer) -> Void
  ) {
    lastQuestion += 1
    let number = lastQuestion
    awaitedAnswers[number] = answer
    let jobSet = jobSet
    let now = Self.now().wall
    store.perform { [loopSide] store in
      let found = RequestDesk(store, jobSet, at: now).answer(question)
      loopSide.post { runner in
        // Before the program goes on: what it asked for is known to the engine soonest.
        if question != .pending { runner.readChanges(.visible) }
        runner.awaitedAnswers.removeValue(forKey: number)?(found)
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
      let adopted = (try? JoinedStore.adopt(in: store, by: owner)) ?? []
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

  private static func leave(_ store: StoreThread, _ owner: Owner) {
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
      let actions = engine.handle(events, at: now)
      // What has to be done comes before what is told of it: a log may be slow.
      for action in actions where !action.isReport { perform(action, at: now) }
      for action in actions where action.isReport { perform(action, at: now) }
    }
  }

  private func perform(_ action: Action, at now: Now) {
    switch action {
    case .commit(let batch, let transitions):
      storeWatch?.ownCommitBegins()
      store.commit(transitions, at: now.wall) { [loopSide] report in
        loopSide.post { runner in
          runner.storeWatch?.ownCommitEnded()
          runner.removePrunedOutput(transitions, report.verdicts)
          runner.feed(.committed(batch, report))
        }
      }
    case .launch(let order): host.launch(order)
    case .warn(let run, let reason): host.warn(run, reason: reason)
    case .kill(let run): host.kill(run)
    case .setForeground(let run, let isForeground):
      host.setForeground(run, isForeground)
    case .watchMemoryPressure(let isNeeded): watchMemoryPressure(isNeeded)
    case .wake(let plan):
      monotonicTimer?.set(nanoseconds: plan.monotonic?.nanoseconds)
      wallTimer?.set(nanoseconds: plan.wall.map { $0.microseconds.multipliedSaturating(by: 1000) })
    case .report(let notice):
      configuration.show(notice, now)
    case .observeFreeSpace(let paths): device.observeFreeSpace(paths)
    case .extendStop(let bound): serviceManager.stopping(within: bound)
    case .release(let summary):
      let owner = owner
      // Only shown to other commands: nothing starts here any more.
      store.perform { try? $0.retire(owner) }
      configuration.released(summary)
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

  /// A kernel that doesn't tell of pressure preempts nothing; `doctor` says so (CP4).
  private func watchMemoryPressure(_ isNeeded: Bool) {
    memoryPressure =
      isNeeded
      ? try? MemoryPressure(path: configuration.memoryPressureFile, on: loop) {
        [unowned self] in feed(.memoryPressure)
      } : nil
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

extension Action {
  fileprivate var isReport: Bool {
    if case .report = self { true } else { false }
  }
}
