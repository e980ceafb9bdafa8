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
    let stamp = reading.stamp(of: location)
    let loaded = try reading.loadForRunning(location)
    let jobSet = loaded.jobSet
    let selection = try selection(in: jobSet)
    let startNow = try identifiers(.now, in: jobSet)
    try RequiredHandlers(jobSet: jobSet, selection: selection, registry: registry).check()

    let state = try StoreLocation.forRunning(
      option: invocation.arguments.text(.state), app: jobSet.app, in: context
    ).folder
    var engine = EngineConfiguration(
      mode: mode, machineID: Machine.stableName, builtAt: Program.builtAt)
    engine.selection = selection
    engine.startNow = startNow
    engine.isWatched = context.isInForeground()
    engine.simulatedExpiration = try SimulatedExpiration.chosen(in: context)

    do {
      let reload = ManifestReload(
        reading: reading, location: location, loadedFrom: stamp, registry: registry,
        selection: selection)
      return try run(loaded, engine: engine, reload: reload, state: state)
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
    _ loaded: LoadedJobSet, engine: EngineConfiguration, reload: ManifestReload, state: String
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
      memoryPressureFile: MachineConditions.root(in: context).memoryPressureFile,
      watchedManifests: reload.location.paths.map(context.absolutePath),
      isOutdated: { reload.isOutdated },
      reload: {
        // What is wrong with the manifest is written by itself.
        presenter.makeRoom()
        do throws(CommandFailure) {
          let loaded = try reload.read()
          inForce = loaded.jobSet
          return .valid(loaded)
        } catch {
          presenter.show(ManifestReload.refused(error))
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
    presenter.show(.ready(loaded.jobSet, state: state))
    let exit = try runner.run()
    presenter.close()
    return try conclude(exit)
  }

  // MARK: What was asked for

  private var mode: EngineConfiguration.Mode {
    if invocation.arguments.contains(RunCommand.drain) { return .drain }
    return invocation.arguments.contains(RunCommand.once) ? .once : .continuous
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

  private func conclude(_ exit: RunnerExit) throws(CommandFailure) -> ExitCode {
    let summary = exit.summary
    if let refusal = summary.refusal { throw .notDone(refusal) }
    if let failure = summary.storeFailure { throw .store(failure) }
    let instants = invocation.instants
    for waiting in summary.waiting {
      let key = waiting.key.isEmpty ? "" : " [\(waiting.key)]"
      let opens = waiting.gate.opensAt.map { ", opens \(instants.relative($0))" } ?? ""
      context.errors.writeLine(
        "\(waiting.identifier)\(TerminalText.visible(key)) waits: \(waiting.gate.gate.rawValue) "
          + "(\(waiting.gate.value)\(opens))")
    }
    if exit.stoppedBy == SIGINT { return .interrupted }
    return mode != .continuous && summary.failed > 0 ? .findings : .done
  }
}
