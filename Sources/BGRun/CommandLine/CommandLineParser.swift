import JobModel

/// Turns arguments into what to do, by the table and nothing else.
package struct CommandLineParser {
  /// What a command line asks for.
  package enum Request {
    case perform(Command, ParsedArguments)
    /// The help of one command; nil is the overview.
    case help(Command?)
    case version
  }

  package let commands: [Command]

  package init(commands: [Command]) {
    self.commands = commands
  }

  /// - Parameter arguments: without the program's name.
  package func parse(_ arguments: [String]) throws(UsageError) -> Request {
    guard let first = arguments.first else { throw UsageError("which command?") }
    switch first {
    case "--help", "-h": return .help(nil)
    case "--version": return .version
    case "help": return try help(arguments.dropFirst())
    default: break
    }
    guard !first.hasPrefix("-") else { throw misplacedOption(first) }
    let command = try command(named: first)
    do {
      return try Parsing(command: command).parse(arguments.dropFirst())
    } catch {
      var error = error
      error.command = command.name
      throw error
    }
  }

  private func help(_ arguments: ArraySlice<String>) throws(UsageError) -> Request {
    guard let name = arguments.first, name != "--help", name != "-h" else { return .help(nil) }
    guard arguments.count == 1 else {
      throw UsageError("'help' takes one command, not \(arguments.count)")
    }
    return .help(try command(named: name))
  }

  private func command(named name: String) throws(UsageError) -> Command {
    if let command = commands.first(where: { $0.name == name }) { return command }
    throw UsageError(
      "unknown command '\(name)'",
      suggestion: SpellingDistance.nearest(to: name, among: commands.map(\.name) + ["help"]))
  }

  /// An option before the command: it belongs behind it, or to no command at all.
  private func misplacedOption(_ text: String) -> UsageError {
    let name = String(text.prefix { $0 != "=" })
    let known = commands.flatMap(\.options).map(\.name)
    if known.contains(name) {
      return UsageError("the option '\(name)' stands behind the command: bgrun COMMAND \(name)")
    }
    return UsageError(
      "unknown option '\(name)'",
      suggestion: SpellingDistance.nearest(to: name, among: known + ["--version"]))
  }
}

/// The reading of one command's arguments.
private struct Parsing {
  let command: Command
  var values = ParsedArguments()
  var given: Set<String> = []
  var positional: [String] = []

  init(command: Command) {
    self.command = command
  }

  consuming func parse(
    _ arguments: ArraySlice<String>
  ) throws(UsageError) -> CommandLineParser.Request {
    var rest = arguments
    while let text = rest.popFirst() {
      if text == "--" {
        positional.append(contentsOf: rest)
        break
      }
      guard text.hasPrefix("-"), text != "-" else {
        positional.append(text)
        continue
      }
      let (option, attached) = try option(text)
      if option == .help { return .help(command) }
      try read(option, attached: attached, rest: &rest)
    }
    try distribute()
    return .perform(command, values)
  }

  private func option(_ text: String) throws(UsageError) -> (Option, attached: String?) {
    let equals = text.firstIndex(of: "=")
    let name = String(text[..<(equals ?? text.endIndex)])
    let attached = equals.map { String(text[text.index(after: $0)...]) }
    if let option = command.options.first(where: { $0.name == name || $0.short == name }) {
      return (option, attached)
    }
    throw UsageError(
      "'\(command.name)' has no option '\(name)'",
      suggestion: SpellingDistance.nearest(to: name, among: command.options.map(\.name)))
  }

  private mutating func read(
    _ option: Option, attached: String?, rest: inout ArraySlice<String>
  ) throws(UsageError) {
    if !given.insert(option.name).inserted, !option.isRepeatable {
      throw UsageError("the option '\(option.name)' is given twice")
    }
    guard let value = option.value else {
      guard attached == nil else {
        throw UsageError("the option '\(option.name)' takes no value")
      }
      values.add(option, .text(""))
      return
    }
    // A known option in the place of a value is a forgotten value; `--key=--json` still says it.
    let isForgotten = rest.first.map { next in command.options.contains { $0.name == next } }
    guard let text = attached ?? (isForgotten == false ? rest.popFirst() : nil) else {
      throw UsageError("the option '\(option.name)' needs a value: \(option.name) \(value.name)")
    }
    values.add(option, try value.kind.read(text, for: "'\(option.name)'"))
  }

  private mutating func distribute() throws(UsageError) {
    var rest = positional[...]
    for argument in command.arguments {
      switch argument.presence {
      case .required:
        guard let text = rest.popFirst() else {
          throw UsageError("'\(command.name)' needs \(argument.name): \(argument.summary)")
        }
        values.add(argument, try argument.kind.read(text, for: argument.name))
      case .optional:
        guard let text = rest.popFirst() else { continue }
        values.add(argument, try argument.kind.read(text, for: argument.name))
      case .repeated:
        while let text = rest.popFirst() {
          values.add(argument, try argument.kind.read(text, for: argument.name))
        }
      }
    }
    if let surplus = rest.first {
      throw UsageError(
        command.arguments.isEmpty
          ? "'\(command.name)' takes no arguments, but was given '\(surplus)'"
          : "'\(command.name)' was given one argument too many: '\(surplus)'")
    }
  }
}
