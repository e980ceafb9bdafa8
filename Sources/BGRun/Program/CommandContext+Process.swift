import Glibc
import JobModel
import LinuxSystem

extension CommandContext {
  /// The world as this process has it.
  ///
  /// - Parameter register: registers the program's handlers; called once at most, since a second
  ///   registration is a fatal error (RG4).
  static func ofProcess(
    registering register: @escaping () -> HandlerRegistry
  ) throws(CommandFailure) -> CommandContext {
    let folder: String
    do {
      folder = try Files.workingFolder()
    } catch {
      throw .notDone("the current folder can't be read: \(error.reason)")
    }
    var registered: HandlerRegistry?
    var context = CommandContext(
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
        let registry = registered ?? Scheduling.survey(register)
        registered = registry
        return registry
      })
    context.useDesk = { Scheduling.use($0) }
    return context
  }

  private static func watch(_ signal: Int32) -> InterruptWatching {
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
