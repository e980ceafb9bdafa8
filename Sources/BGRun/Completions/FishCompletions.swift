/// The completions of fish.
struct FishCompletions {
  let commands: [Command]

  var script: String {
    var text = """
      # fish completions of bgrun; made by 'bgrun completions fish'.
      complete -c bgrun -f
      complete -c bgrun -n __fish_use_subcommand -s h -l help -d 'Show this help'
      complete -c bgrun -n __fish_use_subcommand -l version -d 'Show the version'
      complete -c bgrun -n __fish_use_subcommand -a help -d 'The help of a command'

      """
    for command in commands {
      text += "complete -c bgrun -n __fish_use_subcommand -a \(command.name)"
      text += " -d \(Self.quoted(command.summary))\n"
    }
    for command in commands {
      let condition = "-n '__fish_seen_subcommand_from \(command.name)'"
      for option in command.options {
        text += "complete -c bgrun \(condition) -l \(option.name.dropFirst(2))"
        if let short = option.short { text += " -s \(short.dropFirst())" }
        if let value = option.value { text += " -r" + offer(value.kind) }
        text += " -d \(Self.quoted(option.summary.firstClause))\n"
      }
      if let argument = command.arguments.first {
        let offer = offer(argument.kind)
        if !offer.isEmpty { text += "complete -c bgrun \(condition)\(offer)\n" }
      }
    }
    let names = commands.map(\.name).joined(separator: " ")
    return text + "complete -c bgrun -n '__fish_seen_subcommand_from help' -a '\(names)'\n"
  }

  private func offer(_ kind: ValueKind) -> String {
    switch CompletionWords(kind, commands: commands) {
    case .words(let words): " -f -a \(Self.quoted(words.joined(separator: " ")))"
    case .files: " -F"
    case .folders: " -f -a '(__fish_complete_directories)'"
    case .lines(let command): " -f -a \(Self.quoted("(\(command))"))"
    case .nothing: ""
    }
  }

  /// In fish's single quotes, a backslash stands before itself and before a quote.
  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
