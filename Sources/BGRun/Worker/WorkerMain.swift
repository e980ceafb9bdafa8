import Dispatch
import Glibc
import JobModel
import LinuxSystem
import Synchronization
import TaskHosts

/// A program as its runner starts it again: it registers its handlers, says that it is ready, and
/// executes one run at a time until the runner closes the connection.
package enum WorkerMain {
  static func run(registering register: () -> HandlerRegistry) -> Never {
    guard let descriptor = try? WorkerProcess.takeConnection(name: CommandLine.arguments[0])
    else { refuse() }
    let channel = RunnerChannel(descriptor: descriptor)
    guard channel.receivePermissions() else { refuse() }
    Scheduling.use(channel)
    let background = BackgroundApplication.shared.keeping
    background.observe(observer(channel))
    // A thread of its own: blocking reads would hold up the pool that handlers run on. It listens
    // from the start: a program may submit while it registers.
    let code = DetachedThread.start {
      serve(channel, background)
      WorkerProcess.killItself()
    }
    guard code == 0 else {
      say("can't start the thread that listens to the runner: \(SystemError.reason(of: code))")
      exit(ExitCode.internalFault.rawValue)
    }
    let registry = register()
    registry.finishLaunching(permitting: channel.permissions)
    channel.send(.ready)
    mainThread.withLock { $0 }()
  }

  /// Runs what handlers send to the main queue and the main actor, for ever, on the main thread
  /// (BG5).
  private static let mainThread = Mutex<@Sendable () -> Never>({
    WorkerProcess.runMainQueue()
    dispatchMain()
  })

  /// Has a worker's main thread do `body` for ever, once the program's handlers are registered.
  package static func keepMainThread(in body: @escaping @Sendable () -> Never) {
    mainThread.withLock { $0 = body }
  }

  private static func serve(_ channel: RunnerChannel, _ background: BackgroundKeeping) {
    // A warning is worth nothing when it is late.
    EventLoop.requestPunctuality()
    var current: HandlerRun?
    var isUrgent = false
    while let message = channel.receive() {
      switch message {
      case .launch(let launch):
        background.leaveBackground(.idle)
        if isUrgent { WorkerProcess.setUrgency(false) }
        isUrgent = false
        let run = makeRun(launch, channel, background)
        current = run
        run.start(from: .shared, permitting: channel.permissions)
      case .expire(let number, let reason):
        guard let current, current.launch.run == number else { continue }
        // The handler's own threads have only the grace left.
        isUrgent = true
        WorkerProcess.setUrgency(true)
        current.expire(reason)
      case .answer(let number, let answer): channel.take(answer, to: number)
      case .enterBackground(let time): background.enterBackground(.sentAway, for: time)
      case .enterForeground: background.leaveBackground(.sentAway)
      case .permit: return
      }
    }
  }

  /// Tells the runner of background tasks, and ends the process when their time is over.
  private static func observer(_ channel: RunnerChannel) -> BackgroundKeeping.Observer {
    BackgroundKeeping.Observer(
      holding: { isHolding, isIdle in
        if isHolding {
          channel.send(.holding)
        } else {
          WorkerProcess.flushOutput()
          // A run that executes may be about to wait for its children itself.
          channel.send(.released(hasLeftovers: isIdle && WorkerProcess.hasChildren))
        }
      },
      exhausted: { leak in
        WorkerProcess.flushOutput()
        channel.send(.leaked(leak.summary))
        WorkerProcess.killItself()
      })
  }

  private static func makeRun(
    _ launch: WorkerLaunch, _ channel: RunnerChannel, _ background: BackgroundKeeping
  ) -> HandlerRun {
    WorkerProcess.restartPeakMemory()
    let before = WorkerProcess.usage.processorTime
    let number = launch.run
    let throttle = ProgressThrottle { channel.send(.progressed(number, $0)) }
    return HandlerRun(launch, report: throttle.take) { run, completion in
      WorkerProcess.flushOutput()
      // Before the runner hears of the end: the next launch is the way back.
      background.enterBackground(.idle, for: launch.backgroundTime)
      let isHolding = background.isHolding
      let usage = WorkerProcess.usage
      let progress = run.progress
      channel.send(
        .completed(
          number,
          .init(
            completion, progress: progress.fractionCompleted > 0 ? progress.fractionCompleted : nil,
            usage: WorkerUsage(
              peakMemory: usage.peakMemory, processorTime: usage.processorTime - before),
            // Work that goes on may need them, and waits for them itself.
            hasLeftovers: run.isAbandoned || (!isHolding && WorkerProcess.hasChildren))))
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
