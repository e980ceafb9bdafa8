import JobModel
import LinuxSystem

/// The program as a value: a table of commands, and the one funnel that turns what they return or
/// throw into text and an exit code.
package struct Program {
  /// What `--version` says.
  package static let version = "0.1.0"

  package let commands: [Command]

  /// A program of these commands; the stock one has the whole table.
  package init(commands: [Command] = CommandTable.commands) {
    self.commands = commands
  }

  /// Runs the command that the arguments name, to its exit code; every error is shown on the way.
  package func run(_ context: CommandContext) -> ExitCode {
    let code: ExitCode
    do {
      code = try perform(context)
    } catch {
      context.output.flush()
      report(error, to: context)
      code = error.exitCode
    }
    return finish(context, code)
  }

  private func perform(_ context: CommandContext) throws(CommandFailure) -> ExitCode {
    let request: CommandLineParser.Request
    do {
      request = try CommandLineParser(commands: commands).parse(context.arguments)
    } catch {
      throw .usage(error)
    }
    switch request {
    case .perform(let command, let arguments):
      return try command.perform(Invocation(context: context, arguments: arguments))
    case .help(nil):
      context.output.write(HelpPage(commands: commands).overview)
    case .help(let command?):
      context.output.write(HelpPage(commands: commands).page(of: command))
    case .version:
      context.output.writeLine("bgrun \(Self.version)")
    }
    return .done
  }

  private func report(_ failure: CommandFailure, to context: CommandContext) {
    switch failure {
    case .usage(let error):
      let suggestion = error.suggestion.map { "; did you mean '\($0)'?" } ?? ""
      context.errors.writeLine("bgrun: \(error.problem)\(suggestion)")
      if context.arguments.isEmpty {
        context.errors.write("\n" + HelpPage(commands: commands).overview)
      } else {
        let page = error.command.map { "bgrun help \($0)" } ?? "bgrun --help"
        context.errors.writeLine("Help: \(page)")
      }
    case .notDone(let sentence, let advice):
      context.errors.writeLine("bgrun: \(sentence)")
      if let advice { context.errors.writeLine(advice) }
    case .store(let failure):
      context.errors.writeLine("bgrun: \(failure.sentence)")
    case .findings:
      break
    case .fault(let sentence):
      context.errors.writeLine("bgrun: internal fault: \(sentence)")
    }
  }

  /// Output that didn't arrive is not done: a reader that went away ends the program quietly, as
  /// SIGPIPE would have, and anything else is said.
  private func finish(_ context: CommandContext, _ code: ExitCode) -> ExitCode {
    context.output.flush()
    defer { context.errors.flush() }
    switch context.output.failure {
    case nil: return code
    case .closed: return .outputClosed
    case .system(let number):
      let reason = SystemError.reason(of: number)
      context.errors.writeLine("bgrun: can't write the standard output: \(reason)")
      return .notDone
    }
  }
}
