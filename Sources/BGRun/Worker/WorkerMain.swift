import Dispatch
import Glibc
import JobModel
import LinuxSystem
import Synchronization
import TaskHosts

/// A program as its runner starts it again: it registers its handlers, says that it is ready, and
/// executes one run at a time until the runner closes the connection.
enum WorkerMain {
  static func run(registering register: () -> HandlerRegistry) -> Never {
    guard let descriptor = try? WorkerProcess.takeConnection(name: CommandLine.arguments[0])
    else { refuse() }
    let channel = RunnerChannel(descriptor: descriptor)
    guard case .permit(let permissions) = channel.receive() else { refuse() }
    let registry = register()
    registry.finishLaunching(permitting: permissions)

    // A thread of its own: blocking reads would hold up the pool that handlers run on.
    let code = DetachedThread.start {
      serve(channel, registry)
      WorkerProcess.killItself()
    }
    guard code == 0 else {
      say("can't start the thread that listens to the runner: \(SystemError.reason(of: code))")
      exit(ExitCode.internalFault.rawValue)
    }
    channel.send(.ready)
    // Runs what handlers send to the main actor.
    dispatchMain()
  }

  private static func serve(_ channel: RunnerChannel, _ registry: HandlerRegistry) {
    // A warning is worth nothing when it is late.
    EventLoop.requestPunctuality()
    var current: HandlerRun?
    var isUrgent = false
    while let message = channel.receive() {
      switch message {
      case .launch(let launch):
        if isUrgent { WorkerProcess.setUrgency(false) }
        isUrgent = false
        let run = makeRun(launch, channel)
        current = run
        start(run, registry)
      case .expire(let number, let reason):
        guard let current, current.launch.run == number else { continue }
        // The handler's own threads have only the grace left.
        isUrgent = true
        WorkerProcess.setUrgency(true)
        current.expire(reason)
      case .permit: return
      }
    }
  }

  private static func start(_ run: HandlerRun, _ registry: HandlerRegistry) {
    guard let entry = registry.entry(named: run.launch.handler) else {
      let known = registry.names.isEmpty ? "none" : registry.names.joined(separator: ", ")
      run.complete(
        .failed(
          .handlerMissing,
          detail: "No launch handler registered for task with identifier \(run.launch.handler); "
            + "registered: \(known)"))
      return
    }
    entry.start(run)
  }

  private static func makeRun(_ launch: WorkerLaunch, _ channel: RunnerChannel) -> HandlerRun {
    WorkerProcess.restartPeakMemory()
    let before = WorkerProcess.usage.processorTime
    let number = launch.run
    let throttle = ProgressThrottle { channel.send(.progressed(number, $0)) }
    return HandlerRun(launch, report: throttle.take) { completion, progress in
      WorkerProcess.flushOutput()
      let usage = WorkerProcess.usage
      channel.send(
        .completed(
          number,
          .init(
            completion, progress: progress.fractionCompleted > 0 ? progress.fractionCompleted : nil,
            usage: WorkerUsage(
              peakMemory: usage.peakMemory, processorTime: usage.processorTime - before),
            hasLeftovers: WorkerProcess.hasChildren)))
    }
  }

  private static func refuse() -> Never {
    say("\(WorkerProgram.argument) is how a runner starts its workers; a person uses `run`")
    exit(ExitCode.notDone.rawValue)
  }

  private static func say(_ sentence: String) {
    try? Descriptors.write(all: "bgrun: \(sentence)\n".utf8, to: STDERR_FILENO)
  }
}
