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
  private let configuration: RunnerConfiguration
  private let loop: EventLoop
  private let host: any TaskHost
  private let device: DeviceObserver
  private let serviceManager: ServiceManager
  private let store: StoreThread
  private let owner: Owner
  private let poster: Poster

  private var engine: JobEngine
  private var monotonicTimer: MonotonicTimer?
  private var wallTimer: WallTimer?
  private var signals: SignalSource?
  private var storeWatch: StoreWatch?
  private var manifestWatch: ManifestWatch?

  /// Everything up to here has been read.
  private var knownRevision: Revision
  private var isLooking = false
  private var hasToLookAgain = false
  private var stoppedBy: Int32?
  private var exit: RunnerExit?
  /// Events that came up while an action was being performed: handled in turn, never nested.
  private var waiting: [Event] = []
  private var isHandling = false

  /// Joins the store and starts to listen; nothing runs before `run`.
  ///
  /// - Parameters:
  ///   - open: opens the store, called on its own thread.
  /// - Throws: `StoreFailure` when the store can't be joined.
  package init(
    _ configuration: RunnerConfiguration, loop: EventLoop, host: any TaskHost,
    device: DeviceObserver, open: @escaping @Sendable () throws(StoreFailure) -> any JobStore
  ) throws(StoreFailure) {
    self.configuration = configuration
    self.loop = loop
    self.host = host
    self.device = device
    poster = loop.poster
    serviceManager = ServiceManager()
    engine = JobEngine(
      jobSet: configuration.loaded.jobSet, configuration: configuration.engine)
    store = try StoreThread(headLimit: configuration.engine.headLimit, open: open)

    let hostName = configuration.hostName
    let now = Self.now()
    let stored = configuration.loaded.stored
    let headLimit = configuration.engine.headLimit
    let joining = try store.wait { store throws(StoreFailure) in
      let owner = try store.join(host: hostName, processID: getpid(), at: now.wall)
      try store.saveJobSet(stored)
      let revision = try store.changes(since: Revision(.max)).0
      return (
        owner: owner, revision: revision,
        snapshots: try store.snapshots(of: nil, headLimit: headLimit),
        recorded: try store.lastRecordedTime(), seed: try store.seed()
      )
    }
    owner = joining.owner
    knownRevision = joining.revision
    waiting = [
      .joined(
        Event.Joining(
          owner: joining.owner, snapshots: joining.snapshots, device: device.current,
          lastRecordedTime: joining.recorded, seed: joining.seed))
    ]
  }

  /// Runs jobs until the engine is done, and leaves the store.
  ///
  /// - Throws: `SystemError` when the loop can't wait or a source can't be made.
  package func run() throws(SystemError) -> RunnerExit {
    try listen()
    serviceManager.ready(jobs: configuration.loaded.jobSet.jobs.count)
    publishDevice(device.current)
    handleWaiting()
    adoptDepartures()
    if exit == nil { try loop.run() }
    leave()
    return exit ?? RunnerExit(summary: Summary(), stoppedBy: stoppedBy)
  }

  // MARK: Sources of events

  private func listen() throws(SystemError) {
    signals = try SignalSource([SIGTERM, SIGINT, SIGHUP], on: loop) { [unowned self] signal in
      received(signal)
    }
    monotonicTimer = try MonotonicTimer(on: loop) { [unowned self] in feed(.woke) }
    wallTimer = try WallTimer(
      on: loop, due: { [unowned self] in feed(.woke) },
      stepped: { [unowned self] in clockStepped() })
    host.deliver = { [unowned self] event in feed(.host(event)) }
    device.start { [unowned self] state in
      publishDevice(state)
      feed(.device(state))
    }
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

  private func received(_ signal: Int32) {
    guard signal != SIGHUP else { return reload() }
    let isFirst = stoppedBy == nil
    if isFirst { stoppedBy = signal }
    serviceManager.stopping()
    feed(.stop(isFirst ? .graceful : .immediate))
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
    case .invalid: break
    }
    serviceManager.ready(jobs: configuration.loaded.jobSet.jobs.count)
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
    let since = knownRevision
    let headLimit = configuration.engine.headLimit
    store.perform { [poster] store in
      // A store that can't be read now says so at the next commit; nothing is lost by waiting.
      let seen = try? store.changes(since: since)
      let snapshots =
        seen.map { $0.1.isEmpty ? [] : try? store.snapshots(of: $0.1, headLimit: headLimit) } ?? nil
      poster.post { [unowned self] in
        isLooking = false
        if let revision = seen?.0, let snapshots {
          knownRevision = max(knownRevision, revision)
          if !snapshots.isEmpty { feed(.changed(snapshots)) }
        }
        if hasToLookAgain {
          hasToLookAgain = false
          readChanges()
        }
      }
    }
  }

  /// Takes over the runs of owners that died; their leftovers go first, then the engine ends them
  /// (DU2).
  private func adoptDepartures() {
    let owner = owner
    store.perform { [poster] store in
      // An owner that can't be read now is found at the next departure or start.
      for dead in (try? store.departures()) ?? [] {
        guard let runs = try? store.adopt(dead, by: owner), !runs.isEmpty else { continue }
        poster.post { [unowned self] in
          host.removeLeftovers(of: runs, owner: dead) { [unowned self] in feed(.adopted(runs)) }
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

  private func feed(_ event: Event) {
    waiting.append(event)
    handleWaiting()
  }

  private func handleWaiting() {
    guard !isHandling else { return }
    isHandling = true
    defer { isHandling = false }
    while !waiting.isEmpty {
      let event = waiting.removeFirst()
      let now = Self.now()
      for action in engine.handle(event, at: now) {
        perform(action, at: now)
      }
    }
  }

  private func perform(_ action: Action, at now: Now) {
    switch action {
    case .commit(let batch, let transitions):
      store.commit(transitions, at: now.wall) { [poster] report in
        poster.post { [unowned self] in
          // Any further away, and somebody else's change lies in between, still to be read.
          if report.revision.value == knownRevision.value + 1 { knownRevision = report.revision }
          feed(.committed(batch, report))
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
    case .extendStop(let bound): serviceManager.extendStop(bound)
    case .finish(let summary):
      exit = RunnerExit(summary: summary, stoppedBy: stoppedBy)
      loop.stop()
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
