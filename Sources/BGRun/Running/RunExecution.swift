import DeviceConditions
import Glibc
import JobEngine
import JobModel
import LinuxSystem
import Runner
import SQLiteStore

/// What `bgrun run` does: load, check, join, run, and say what came of it.
struct RunExecution {
  let invocation: Invocation

  private var context: CommandContext { invocation.context }

  func perform() throws(CommandFailure) -> ExitCode {
    guard
      let location = ManifestLocation.find(
        given: invocation.arguments.texts(RunCommand.paths), in: context)
    else { throw CommandFailure.noManifest(in: context) }
    // What a program submits while it registers, as apps do at their launch, is for this store.
    context.useDesk(
      StoreDesk(manifests: location.paths, state: invocation.arguments.text(.state)))
    let registry = context.registerHandlers()
    let reading = JobSetReading(context, handlers: registry)
    let loaded = try reading.loadForRunning(location)
    let jobSet = loaded.jobSet
    let selection = try selection(in: jobSet)
    let startNow = try identifiers(.now, in: jobSet)
    try RequiredHandlers(jobSet: jobSet, selection: selection, registry: registry).check()

    let state = try stateFolder(of: jobSet)
    var engine = EngineConfiguration(
      mode: mode, machineID: Machine.identifier ?? Machine.hostName,
      builtAt: Program.builtAt)
    engine.selection = selection
    engine.startNow = startNow
    engine.simulatedExpiration = try simulatedExpiration()

    do {
      return try run(
        loaded, by: reading, engine: engine, location: location, state: state)
    } catch let failure as StoreFailure {
      throw .store(failure)
    } catch let error as SystemError {
      throw .notDone("cannot run: \(error)")
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw .fault("\(error)")
    }
  }

  private func run(
    _ loaded: LoadedJobSet, by reading: JobSetReading, engine: EngineConfiguration,
    location: ManifestLocation, state: String
  ) throws -> ExitCode {
    let loop = try EventLoop()
    let zone = TimeZoneFiles(environment: context.environment).local
    let presenter = try RunPresenter(
      context, format: invocation.arguments.text(RunCommand.logFormat).flatMap(LogFormat.init),
      style: invocation.errorStyle, zone: zone, loop: loop)
    let context = context
    var inForce = loaded.jobSet
    let configuration = RunnerConfiguration(
      loaded: loaded, engine: engine, stateDirectory: state, hostName: Machine.hostName,
      environment: context.environment,
      watchedManifests: location.paths.map(context.absolutePath),
      reload: {
        do throws(CommandFailure) {
          let loaded = try reading.loadForRunning(location)
          inForce = loaded.jobSet
          return .valid(loaded)
        } catch {
          presenter.show(Self.rejected(error))
          return .invalid
        }
      },
      show: presenter.show)
    // A folder that can't be made is a store that can't be opened, which says more.
    try? ToldFolder.of(stateDirectory: state).make()
    let device = try MachineConditions.observer(folder: state, loop: loop, in: context)
    Signals.reapAutomaticallyAsInit()
    let runner = try Runner(
      configuration, loop: loop, device: device,
      makeHost: { owner, lock, consult throws(SystemError) in
        try HostMaking(
          context: context, stateDirectory: state, jobSet: { inForce }, consult: consult, loop: loop
        ).host(of: owner, provenAliveBy: lock)
      },
      open: { () throws(StoreFailure) in try SQLiteStore(path: state) })
    presenter.show(ready(loaded.jobSet, state: state))
    let exit = try runner.run()
    presenter.close()
    return try conclude(exit)
  }

  // MARK: What was asked for

  private var mode: EngineConfiguration.Mode {
    if invocation.arguments.contains(RunCommand.drain) { return .drain }
    return invocation.arguments.contains(RunCommand.once) ? .once : .continuous
  }

  private func simulatedExpiration() throws(CommandFailure) -> Duration? {
    let name = SimulatedExpiration.variable
    switch SimulatedExpiration.read(context.variable(name)) {
    case .success(let delay): return delay
    case .failure(let mistake):
      throw .notDone(
        "\(name) is '\(mistake.value)'", advice: "It is YES, NO or a number of seconds.")
    }
  }

  private func stateFolder(of jobSet: JobSet) throws(CommandFailure) -> String {
    if let chosen = StoreLocation.chosen(option: invocation.arguments.text(.state), in: context) {
      return chosen.folder
    }
    return try StoreLocation.usual(app: jobSet.app, in: context).folder
  }

  private func selection(in jobSet: JobSet) throws(CommandFailure) -> Set<JobIdentifier>? {
    let chosen = try identifiers(.job, in: jobSet)
    return chosen.isEmpty ? nil : Set(chosen)
  }

  private func identifiers(
    _ option: Option, in jobSet: JobSet
  ) throws(CommandFailure) -> [JobIdentifier] {
    var found: [JobIdentifier] = []
    for text in invocation.arguments.texts(option) {
      let identifier = JobIdentifier(text)
      guard jobSet.jobs[identifier] != nil || jobSet.definition(for: identifier) != nil else {
        throw .unknownJob(identifier, known: jobSet.jobs.keys.sorted())
      }
      found.append(identifier)
    }
    return found
  }

  // MARK: What is said

  /// A manifest that can't be used: its diagnostics have been shown, other failures say themselves.
  private static func rejected(_ failure: CommandFailure) -> LogRecord {
    var message = "the manifest can't be used; the one in force stays"
    if case .notDone(let sentence, _) = failure { message += " (\(sentence))" }
    return LogRecord(level: .error, event: "reload-refused", message: message)
  }

  private func ready(_ jobSet: JobSet, state: String) -> LogRecord {
    let count = jobSet.jobs.count
    return LogRecord(
      level: .info, event: "ready",
      message: "\(count) \(count == 1 ? "job" : "jobs") of \(jobSet.app), store \(state)"
    ).with("app", jobSet.app).with("jobs", count).with("state", state)
  }

  private func conclude(_ exit: RunnerExit) throws(CommandFailure) -> ExitCode {
    let summary = exit.summary
    if let refusal = summary.refusal { throw .notDone(refusal) }
    if let failure = summary.storeFailure { throw .store(failure) }
    let instants = invocation.instants
    for waiting in summary.waiting {
      let key = waiting.key.isEmpty ? "" : " [\(waiting.key)]"
      let opens = waiting.gate.opensAt.map { ", opens \(instants.relative($0))" } ?? ""
      context.errors.writeLine(
        "\(waiting.identifier)\(key) waits: \(waiting.gate.gate.rawValue) "
          + "(\(waiting.gate.value)\(opens))")
    }
    if exit.stoppedBy == SIGINT { return .interrupted }
    return mode != .continuous && summary.failed > 0 ? .findings : .done
  }
}
