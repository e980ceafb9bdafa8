import JobModel
import LinuxSystem
import TaskHosts

/// Makes the host of a runner's runs: for commands, and for handlers in workers.
struct HostMaking {
  let context: CommandContext
  let stateDirectory: String
  let jobSet: () -> JobSet
  let consult: WorkerHost.Consultation
  let loop: EventLoop

  func host(of owner: Owner, provenAliveBy lock: Int32?) throws(SystemError) -> any TaskHost {
    let keeping = try RunKeeping(stateDirectory: stateDirectory, on: loop)
    if let lock { try keeping.hold(lock) }
    let commands = CommandHost(
      stateDirectory: stateDirectory, environment: context.environment, keeping: keeping,
      on: loop)
    let workers = WorkerHost(
      stateDirectory: stateDirectory, program: program, owner: owner.fence, jobSet: jobSet,
      consult: consult, keeping: keeping, on: loop)
    return JobHost(commands: commands, handlers: workers)
  }

  private var program: WorkerProgram {
    let executable = WorkerProcess.executable
    return WorkerProgram(
      name: executable.map(Files.name) ?? "bgrun", folder: context.currentFolder,
      environment: context.environment,
      backtracer: Backtracer.own(executable: executable).path)
  }
}
