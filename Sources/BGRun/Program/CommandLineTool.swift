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
    HandlerRegistry.shared.leaveLaunchToCommands()
    if CommandLine.arguments.dropFirst().elementsEqual([WorkerProgram.argument]) {
      WorkerMain.run(registering: register)
    }
    do throws(CommandFailure) {
      exit(Program().run(try CommandContext.ofProcess(registering: register)).rawValue)
    } catch {
      try? Descriptors.write(all: "bgrun: \(error.sentence)\n".utf8, to: STDERR_FILENO)
      exit(error.exitCode.rawValue)
    }
  }
}
