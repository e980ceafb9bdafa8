import JobModel
import LinuxSystem
import TaskHosts

/// Makes the hosts of a service: handlers in this process, commands by a keeper.
struct EmbeddedHosts {
  let environment: [String: String]
  let stateDirectory: String
  let registry: HandlerRegistry
  /// Whether the manifest has commands: without, the process isn't forked before one comes.
  let hasCommands: Bool
  let loop: EventLoop

  func host(provenAliveBy lock: Int32?) throws(SystemError) -> any TaskHost {
    let keeping = try RunKeeping(
      stateDirectory: stateDirectory, forksAtOnce: hasCommands, on: loop)
    if let lock { try keeping.hold(lock) }
    let commands = CommandHost(
      stateDirectory: stateDirectory, environment: environment, keeping: keeping, on: loop)
    let registry = registry
    let handlers = InProcessHost(
      stateDirectory: stateDirectory, keeping: keeping, on: loop
    ) { launch, reports in
      EmbeddedHandler(launch, registry: registry, reports: reports)
    }
    let hold = handlers.holdingReports()
    BackgroundApplication.shared.keeping.observe(
      BackgroundKeeping.Observer(
        holding: { isHolding, _ in hold(isHolding) },
        // The report is written; the process is its owner's to end (EM1).
        exhausted: { _ in }))
    return JobHost(commands: commands, handlers: handlers)
  }
}
