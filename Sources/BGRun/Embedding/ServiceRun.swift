import DeviceConditions
import Glibc
import JobEngine
import JobModel
import LinuxSystem
import Runner
import SQLiteStore
import Synchronization
import TaskHosts

/// One call of a service's `run()`: its thread, from the reading of the manifest to the end of the last
/// handler, and what came of it.
final class ServiceRun: Sendable {
  typealias Outcome = Result<Void, BackgroundService.Failure>

  private struct State {
    var isStopRequested = false
    /// Stops the runner, once there is one.
    var runnerStop: RunnerStop?
    /// The pool that the program's background tasks have from then on (BG3).
    var backgroundTime = LifecycleLimits().backgroundTime
    /// Tells the caller; nil once it knows.
    var tell: (@Sendable (Outcome) -> Void)?
  }

  private let service: BackgroundService
  private let state = Mutex(State())

  init(_ service: BackgroundService) {
    self.service = service
  }

  /// Starts; `tell` is called once, on any thread.
  func start(_ tell: @escaping @Sendable (Outcome) -> Void) {
    state.withLock { $0.tell = tell }
    let code = DetachedThread.start { [self] in conclude(perform()) }
    if code != 0 {
      let reason = SystemError.reason(of: code)
      conclude(
        .failure(
          .init(
            code: .environment, description: "can't start the service's thread: \(reason)")))
    }
  }

  /// Asks for the end, from any thread; it may come before the start has got anywhere.
  func stop() {
    let (runnerStop, backgroundTime) = state.withLock { state in
      state.isStopRequested = true
      return (state.runnerStop, state.backgroundTime)
    }
    BackgroundApplication.shared.keeping.enterBackground(.sentAway, for: backgroundTime)
    runnerStop?()
  }

  /// The caller goes on; only the first outcome counts.
  private func conclude(_ outcome: Outcome) {
    let tell = state.withLock { state in
      defer { state.tell = nil }
      return state.tell
    }
    guard let tell else { return }
    // The service is over; what the process does next, it does in the foreground.
    BackgroundApplication.shared.keeping.leaveBackground(.sentAway)
    tell(outcome)
  }

  // MARK: On the thread

  private func perform() -> Outcome {
    let shown = ShownText()
    do {
      let context = try CommandContext.embedded(handlers: service.handlers, shown: shown)
      guard !isStopRequested, let exit = try run(in: context, shown) else { return .success(()) }
      return Self.outcome(of: exit.summary)
    } catch let failure as BackgroundService.Failure {
      return .failure(failure)
    } catch let failure as CommandFailure {
      return .failure(.init(failure, shown: shown.take()))
    } catch let failure as StoreFailure {
      return .failure(.init(code: .store, description: failure.sentence))
    } catch {
      return .failure(.init(code: .environment, description: "cannot run: \(error)"))
    }
  }

  private static func outcome(of summary: Summary) -> Outcome {
    guard let failure = summary.storeFailure else { return .success(()) }
    return .failure(.init(code: .store, description: failure.sentence))
  }

  private var isStopRequested: Bool { state.withLock { $0.isStopRequested } }

  /// - Returns: nil when the stop was asked for before the store was joined.
  private func run(in context: CommandContext, _ shown: ShownText) throws -> RunnerExit? {
    let reading = JobSetReading(context, handlers: service.handlers)
    let (location, stamp, loaded) = try load(by: reading, in: context, shown)
    let required = RequiredHandlers(
      jobSet: loaded.jobSet, selection: nil, registry: service.handlers)
    guard required.missing.isEmpty else {
      throw BackgroundService.Failure.missing(required.missing)
    }
    guard required.mistaken.isEmpty else {
      throw BackgroundService.Failure.mistaken(required.mistaken)
    }
    service.handlers.finishLaunching(permitting: loaded.jobSet.handlerPermissions)
    state.withLock { $0.backgroundTime = loaded.jobSet.lifecycle.backgroundTime }

    let folder = try StoreLocation.forRunning(
      option: service.state, app: loaded.jobSet.app, in: context
    ).folder
    let loop = try EventLoop()
    let voice = ServiceVoice(service, zone: TimeZoneFiles(environment: context.environment).local)
    let reload = ManifestReload(
      reading: reading, location: location, loadedFrom: stamp, registry: service.handlers,
      selection: nil)
    let configuration = try configuration(
      loaded, reload, folder: folder, in: context, voice, shown)
    // A folder that can't be made is a store that can't be opened, which says more.
    try? ToldFolder.of(stateDirectory: folder).make()
    let device = try MachineConditions.observer(folder: folder, loop: loop, in: context)
    let hosts = EmbeddedHosts(
      environment: context.environment, stateDirectory: folder, registry: service.handlers,
      hasCommands: loaded.jobSet.jobs.values.contains { $0.action.isCommand }, loop: loop)
    guard !isStopRequested else { return nil }
    let runner = try Runner(
      configuration, loop: loop, device: device,
      makeHost: { _, lock, _ throws(SystemError) in try hosts.host(provenAliveBy: lock) },
      open: { () throws(StoreFailure) in try SQLiteStore(path: folder) })
    takeStops(by: runner.stopHandle)
    voice.say(.ready(loaded.jobSet, state: folder))
    voice.sayWhatHasNoEffect(in: loaded.jobSet)
    let exit = try runner.run()
    if let overrun = exit.summary.overran { voice.endProcess(because: overrun) }
    return exit
  }

  private func load(
    by reading: JobSetReading, in context: CommandContext, _ shown: ShownText
  ) throws(BackgroundService.Failure) -> (ManifestLocation, ManifestStamp, LoadedJobSet) {
    do throws(CommandFailure) {
      guard let location = ManifestLocation.find(given: service.manifests, in: context) else {
        throw .noManifest(in: context)
      }
      let stamp = reading.stamp(of: location)
      return (location, stamp, try reading.loadForRunning(location))
    } catch {
      throw .init(error, shown: shown.take(), otherwise: .manifest)
    }
  }

  private func configuration(
    _ loaded: LoadedJobSet, _ reload: ManifestReload, folder: String,
    in context: CommandContext, _ voice: ServiceVoice, _ shown: ShownText
  ) throws(CommandFailure) -> RunnerConfiguration {
    var engine = EngineConfiguration(
      mode: .continuous, machineID: Machine.stableName, builtAt: Program.builtAt)
    engine.simulatedExpiration = try SimulatedExpiration.chosen(in: context)
    engine.handlersInProcess =
      switch service.onOverrun {
      case .hold: .hold
      case .exit: .exit
      }
    let handlers = service.handlers
    var configuration = RunnerConfiguration(
      loaded: loaded, engine: engine, stateDirectory: folder, hostName: Machine.hostName,
      environment: context.environment,
      memoryPressureFile: MachineConditions.root(in: context).memoryPressureFile,
      watchedManifests: reload.location.paths.map(context.absolutePath),
      isOutdated: { reload.isOutdated },
      reload: {
        do throws(CommandFailure) {
          let loaded = try reload.read()
          handlers.finishLaunching(permitting: loaded.jobSet.handlerPermissions)
          voice.sayWhatHasNoEffect(in: loaded.jobSet)
          return .valid(loaded)
        } catch {
          voice.say(ManifestReload.refused(error), shown: shown.take())
          return .invalid
        }
      }, show: voice.show)
    configuration.ownsProcess = false
    configuration.released = { [self] summary in conclude(Self.outcome(of: summary)) }
    return configuration
  }

  /// A stop that was asked for before there was anything to stop is passed on now.
  private func takeStops(by runnerStop: RunnerStop) {
    let isStopRequested = state.withLock { state in
      state.runnerStop = runnerStop
      return state.isStopRequested
    }
    if isStopRequested { runnerStop() }
  }
}
