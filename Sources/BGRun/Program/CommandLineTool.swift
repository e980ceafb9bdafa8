import Glibc
import JobModel
import LinuxSystem
import TaskHosts

/// The program as the operating system starts it.
public enum CommandLineTool {
  /// Runs the command that the process was started for, with the built-in handlers, and ends the
  /// process with its exit code.
  public static func main() -> Never {
    main(registering: {
      BuiltInHandlers.register(in: .shared)
      return .shared
    })
  }

  /// - Parameter register: registers the program's handlers, called where they are needed: in
  ///   workers, and for commands that look at them.
  static func main(registering register: @escaping () -> HandlerRegistry) -> Never {
    // A reader that goes away is told by a failed write; the funnel decides what that means.
    Descriptors.ignoreBrokenPipes()
    if CommandLine.arguments.dropFirst().elementsEqual([WorkerProgram.argument]) {
      WorkerMain.run(registering: register)
    }
    let folder: String
    do {
      folder = try Files.workingFolder()
    } catch {
      let sentence = "bgrun: the current folder can't be read: \(error.reason)\n"
      try? Descriptors.write(all: sentence.utf8, to: STDERR_FILENO)
      exit(ExitCode.notDone.rawValue)
    }
    // Once: a second registration is a fatal error (RG4).
    var registered: HandlerRegistry?
    let context = CommandContext(
      arguments: Array(CommandLine.arguments.dropFirst()),
      environment: ProcessEnvironment.variables, currentFolder: folder,
      isSuperuser: geteuid() == 0,
      input: TextSource(
        descriptor: STDIN_FILENO, isTerminal: Terminal.isTerminal(STDIN_FILENO)),
      output: sink(STDOUT_FILENO), errors: sink(STDERR_FILENO, capacity: 0),
      now: Now.read, watchInterrupts: watch(Signals.interrupt),
      watchSuspensions: watch(Signals.suspend),
      isInForeground: { Terminal.isOwnGroupInForeground },
      registerHandlers: {
        let registry = registered ?? register()
        registered = registry
        return registry
      })
    exit(Program().run(context).rawValue)
  }

  private static func watch(_ signal: Int32) -> CommandContext.InterruptWatching {
    { loop, handler throws(SystemError) in
      try SignalSource([signal], on: loop) { _ in handler() }
    }
  }

  private static func sink(_ descriptor: Int32, capacity: Int = 1 << 16) -> TextSink {
    TextSink(
      isTerminal: Terminal.isTerminal(descriptor), columns: Terminal.columns(of: descriptor),
      capacity: capacity
    ) { bytes in
      do throws(SystemError) {
        try Descriptors.write(all: bytes[...], to: descriptor)
        return nil
      } catch {
        return error.code == EPIPE ? .closed : .system(error.code)
      }
    }
  }
}

extension Now {
  /// Both clocks of the machine.
  static func read() -> Now {
    let (wall, monotonic) = Clocks.now()
    return Now(
      wall: WallInstant(microseconds: wall / 1000),
      monotonic: MonotonicInstant(nanoseconds: monotonic))
  }
}
