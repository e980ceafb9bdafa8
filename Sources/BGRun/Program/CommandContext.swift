package import JobModel
package import LinuxSystem

/// Everything a command sees of the world, so that a test can be the world.
package struct CommandContext {
  /// Without the program's name.
  package var arguments: [String]
  /// The variables of the process.
  package var environment: [String: String]
  /// Absolute.
  package var currentFolder: String
  /// Whether root runs the command, which moves the store (manifest.md, "Store").
  package var isSuperuser: Bool
  /// Standard input.
  package var input: TextSource
  /// Standard output: what was asked for.
  package var output: TextSink
  /// Standard error: everything else.
  package var errors: TextSink
  /// Reads both clocks.
  package var now: () -> Now
  /// Calls back on the loop for each Ctrl-C until what it returns is released; before that, Ctrl-C
  /// ends the process.
  package var watchInterrupts: InterruptWatching
  /// The same for Ctrl-Z, which stops the process before and afterwards.
  package var watchSuspensions: InterruptWatching
  /// Whether the person at the terminal deals with this process now (CP1).
  package var isInForeground: () -> Bool

  /// Registers the program's Swift handlers and gives their registry.
  package var registerHandlers: () -> HandlerRegistry

  /// Has what the program's own code asks the scheduler answered by a desk.
  package var useDesk: (any SchedulerDesk) -> Void = { _ in }

  /// Starts to watch for Ctrl-C on a loop.
  package typealias InterruptWatching =
    (EventLoop, @escaping () -> Void) throws(SystemError) -> AnyObject

  package init(
    arguments: [String], environment: [String: String], currentFolder: String, isSuperuser: Bool,
    input: TextSource, output: TextSink, errors: TextSink, now: @escaping () -> Now,
    watchInterrupts: @escaping InterruptWatching,
    watchSuspensions: @escaping InterruptWatching, isInForeground: @escaping () -> Bool,
    registerHandlers: @escaping () -> HandlerRegistry = { HandlerRegistry() }
  ) {
    self.arguments = arguments
    self.environment = environment
    self.currentFolder = currentFolder
    self.isSuperuser = isSuperuser
    self.input = input
    self.output = output
    self.errors = errors
    self.now = now
    self.watchInterrupts = watchInterrupts
    self.watchSuspensions = watchSuspensions
    self.isInForeground = isInForeground
    self.registerHandlers = registerHandlers
  }

  /// A variable's value; nil when it is unset or empty.
  package func variable(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A path as the user gave it, made absolute.
  package func absolutePath(_ path: String) -> String {
    path.hasPrefix("/") ? path : currentFolder + "/" + path
  }
}

/// Where a command reads what is typed or piped to it.
package struct TextSource: Sendable {
  /// Where to read; somebody else owns it.
  package var descriptor: Int32
  /// Whether a person types it.
  package var isTerminal: Bool

  package init(descriptor: Int32, isTerminal: Bool) {
    self.descriptor = descriptor
    self.isTerminal = isTerminal
  }

  /// Everything up to the end.
  package func readAll() throws(CommandFailure) -> [UInt8] {
    do {
      return try Descriptors.readAll(descriptor)
    } catch {
      throw .notDone("can't read the standard input: \(error.reason)")
    }
  }
}
