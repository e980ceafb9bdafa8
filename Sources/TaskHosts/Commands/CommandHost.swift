package import JobModel
package import LinuxSystem

/// Runs jobs' commands as programs, each contained so that its end is the end of everything it
/// started (LC4, LC5, DU5, ST2–ST5).
///
/// Everything is on the loop's thread.
package final class CommandHost: TaskHost {
  package var deliver: ((HostEvent) -> Void)?

  private let stateDirectory: String
  private let environment: [String: String]
  private let keeping: RunKeeping
  private let loop: EventLoop
  private let slots: NotifySlots
  private let buffer = ReadBuffer()
  private var runs: [RunNumber: CommandRun] = [:]

  /// - Parameters:
  ///   - stateDirectory: absolute path of the store's folder, which exists.
  ///   - environment: the runner's own.
  package init(
    stateDirectory: String, environment: [String: String], keeping: RunKeeping,
    on loop: EventLoop
  ) {
    self.stateDirectory = stateDirectory
    self.environment = environment
    self.keeping = keeping
    self.loop = loop
    let nonce = String(UInt64.random(in: 0...UInt64.max), radix: 16)
    slots = NotifySlots(name: "\(keeping.storeName)-\(nonce)", on: loop)
  }

  package func launch(_ order: LaunchOrder) {
    do throws(LaunchProblem) {
      try start(order)
    } catch {
      loop.soon { [weak self] in self?.deliver?(.launchFailed(order.run, detail: error.detail)) }
    }
  }

  package func warn(_ run: RunNumber, reason: Reason) {
    runs[run]?.warn(reason)
  }

  package func setForeground(_ run: RunNumber, _ isForeground: Bool) {
    guard let run = runs[run] else { return }
    run.setForeground(isForeground, by: keeping)
  }

  package func kill(_ run: RunNumber) {
    runs[run]?.kill()
  }

  package func removeOutput(of runs: [RunNumber], of identifier: JobIdentifier) {
    let folder = OutputFolder(stateDirectory: stateDirectory, identifier: identifier)
    // A log that can't be removed now is the oldest of its folder: the next run's start tries again.
    try? folder.removeLogs(of: runs)
  }

  package func removeLeftovers(
    of runs: [RunRecord], owner: Owner, completion: @escaping () -> Void
  ) {
    keeping.removeLeftovers(of: runs, owner: owner, completion: completion)
  }

  private func start(_ order: LaunchOrder) throws(LaunchProblem) {
    let resources = try prepare(order)
    do throws(LaunchProblem) {
      let program = try program(for: order, resources)
      do throws(SystemError) {
        let run = try CommandRun(
          order.run, resources, quality: order.job.qualityOfService, on: loop
        ) { [unowned self] event in
          pass(on: event)
        }
        try run.start(
          program, group: keeping.groupName(of: order.run), memoryLimit: order.job.memoryLimit,
          with: keeping.current())
        runs[order.run] = run
      } catch {
        throw LaunchProblem(error)
      }
    } catch {
      slots.giveBack(resources.slot)
      throw error
    }
  }

  /// Makes the run's folder and log, and lends it a socket.
  private func prepare(_ order: LaunchOrder) throws(LaunchProblem) -> CommandRun.Resources {
    let identifier = order.request.identifier
    let run = order.run
    do throws(SystemError) {
      let folder = JobFolder(
        stateDirectory: stateDirectory, identifier: identifier, key: order.request.key)
      try folder.prepare()
      let log = try OutputFolder(stateDirectory: stateDirectory, identifier: identifier)
        .makeLog(of: run, order.job.output, writing: Set(runs.keys))
      let slot = try slots.take { [unowned self] message, sender in
        runs[run]?.take(message, from: sender)
      }
      return CommandRun.Resources(folder: folder, log: log, slot: slot, buffer: buffer)
    } catch {
      throw LaunchProblem(error)
    }
  }

  private func program(
    for order: LaunchOrder, _ resources: CommandRun.Resources
  ) throws(LaunchProblem) -> ProgramLaunch {
    let environment = CommandEnvironment.make(
      for: order, runner: environment, jobFolder: resources.folder.path,
      notifySocket: resources.slot.address)
    let line = try CommandLine(
      order.job, searching: environment["PATH"] ?? CommandEnvironment.defaultPath)
    return ProgramLaunch(
      program: line.program, arguments: line.arguments, environment: environment,
      workingFolder: order.job.workingDirectory, niceness: order.job.qualityOfService.niceness,
      hasIdleInputOutput: order.job.qualityOfService == .background)
  }

  private func pass(on event: HostEvent) {
    switch event {
    case .launchFailed(let run, _), .ended(let run, _):
      if let ended = runs.removeValue(forKey: run) { slots.giveBack(ended.resources.slot) }
    case .started, .progressed, .exceededMemory, .holding, .leaked: break
    }
    deliver?(event)
  }
}
