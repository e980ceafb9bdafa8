/// The help of the program and of each command, made from the table.
package struct HelpPage {
  package let commands: [Command]
  private static let width = 80

  /// What the exit codes mean, whatever the command.
  static let exitCodes = [
    ("0", "Done."),
    ("1", "Findings: diagnostics, or a job that failed."),
    ("2", "It could not be done as asked: usage, a missing file, nothing that matches."),
    ("70", "A fault of bgrun itself."),
    ("130", "Stopped by SIGINT."),
    ("141", "The reader of the output went away."),
  ]

  package init(commands: [Command]) {
    self.commands = commands
  }

  /// What `bgrun --help` shows.
  package var overview: String {
    var text = """
      bgrun: background work that waits for its conditions, declared in a manifest

      Usage: bgrun COMMAND [ARGUMENT…]

      Commands:

      """
    text += Self.entries(commands.map { ($0.name, $0.summary) })
    text += """

      Options:

      """
    text += Self.entries([("-h, --help", "Show this help."), ("--version", Option.version.summary)])
    text += """

      Exit codes:

      """
    text += Self.entries(Self.exitCodes)
    return text + "\nMore about a command: bgrun help COMMAND\n"
  }

  /// What `bgrun help COMMAND` and `bgrun COMMAND --help` show.
  package func page(of command: Command) -> String {
    var text = "bgrun \(command.name): \(command.summary)\n\n"
    text += Self.usage(of: command)
    for paragraph in command.discussion {
      text += "\n" + Self.block(LineWrap.lines(paragraph, width: Self.width), indent: 0)
    }
    if let table = command.table {
      text += "\n\(table.heading):\n" + Self.entries(table.entries)
    }
    if !command.arguments.isEmpty {
      text += "\nArguments:\n" + Self.entries(command.arguments.map { ($0.name, $0.summary) })
    }
    text += "\nOptions:\n"
    text += Self.entries(command.options.map { (Self.label(of: $0), $0.summary) })
    if !command.examples.isEmpty {
      text += "\nExamples:\n"
      for example in command.examples {
        text += "  \(example.line)\n"
        text += Self.block(LineWrap.lines(example.meaning, width: Self.width - 6), indent: 6)
      }
    }
    text += "\nExit codes:\n"
    return text + Self.entries(command.exitCodes.map { ("\($0.code.rawValue)", $0.meaning) })
  }

  /// The command with its options and arguments, on one line.
  static func synopsis(of command: Command) -> String {
    ([command.name] + parts(of: command)).joined(separator: " ")
  }

  private static func parts(of command: Command) -> [String] {
    var parts = command.options.filter { $0 != .color && $0 != .help }.map { option in
      let value = option.value.map { " \($0.name)" } ?? ""
      return "[\(option.name)\(value)]" + (option.isRepeatable ? "…" : "")
    }
    parts += command.arguments.map { argument in
      switch argument.presence {
      case .required: argument.name
      case .optional: "[\(argument.name)]"
      case .repeated: "[\(argument.name)…]"
      }
    }
    return parts
  }

  private static func usage(of command: Command) -> String {
    let start = "Usage: bgrun \(command.name)"
    // A bracket with its value stays on one line.
    let joined = parts(of: command).map { $0.replacingSpaces() }.joined(separator: " ")
    let lines = LineWrap.lines(joined, width: width - start.unicodeScalars.count - 1)
      .map { $0.restoringSpaces() }
    guard let first = lines.first else { return start + "\n" }
    return "\(start) \(first)\n"
      + block(Array(lines.dropFirst()), indent: start.unicodeScalars.count + 1)
  }

  static func label(of option: Option) -> String {
    let name = option.short.map { "\($0), \(option.name)" } ?? option.name
    return name + (option.value.map { " \($0.name)" } ?? "")
  }

  /// Names with their explanations in a second column.
  private static func entries(_ entries: [(name: String, text: String)]) -> String {
    let longest = entries.map(\.name.unicodeScalars.count).max() ?? 0
    let column = min(longest, 22) + 4
    return entries.map { name, text in
      let lines = LineWrap.lines(text, width: width - column)
      let room = column - 2 - name.unicodeScalars.count
      guard room >= 2, let first = lines.first else {
        return "  \(name)\n" + block(lines, indent: column)
      }
      return "  " + name + String(repeating: " ", count: room) + first + "\n"
        + block(Array(lines.dropFirst()), indent: column)
    }.joined()
  }

  private static func block(_ lines: [String], indent: Int) -> String {
    lines.map { String(repeating: " ", count: indent) + $0 + "\n" }.joined()
  }
}

extension String {
  fileprivate func replacingSpaces() -> String { String(map { $0 == " " ? "\u{A0}" : $0 }) }
  fileprivate func restoringSpaces() -> String { String(map { $0 == "\u{A0}" ? " " : $0 }) }
}
