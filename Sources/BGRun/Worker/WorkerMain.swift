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
    // Threads of their own: blocking reads would hold up the pool that handlers run on. They listen
    // from the start: a program may submit while it registers.
    do throws(SystemError) {
      try ReadingThreads.start(channel, MessageService(channel, background))
    } catch {
      say("can't start the threads that listen to the runner: \(error)")
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

  private static func refuse() -> Never {
    say("\(WorkerProgram.argument) is how a runner starts its workers; a person uses `run`")
    exit(ExitCode.notDone.rawValue)
  }

  private static func say(_ sentence: String) {
    try? Descriptors.write(all: "bgrun: \(sentence)\n".utf8, to: STDERR_FILENO)
  }
}
