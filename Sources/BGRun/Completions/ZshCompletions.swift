/// The completions of zsh.
struct ZshCompletions {
  let commands: [Command]

  var script: String {
    var text = """
      #compdef bgrun
      # zsh completions of bgrun; made by 'bgrun completions zsh'.
      _bgrun() {
        if (( CURRENT == 2 )); then
          local -a commands
          commands=(

      """
    for command in commands {
      let summary = command.summary.replacing(":", with: "\\:")
      text += "      \("\(command.name):\(summary)".shellQuoted)\n"
    }
    text += """
            'help:the help of a command'
          )
          _describe command commands
          return
        fi
        local command=$words[2]
        shift words
        (( CURRENT-- ))
        case $command in

      """
    for command in commands {
      let specifications = command.options.map(specification) + command.arguments.map(specification)
      text += "    \(command.name))\n      _arguments \\\n"
      text += specifications.map { "        \($0.shellQuoted)" }.joined(separator: " \\\n")
      text += " ;;\n"
    }
    let names = commands.map(\.name).joined(separator: " ")
    return text + """
          help)
            _arguments \("1:COMMAND:(\(names))".shellQuoted) ;;
        esac
      }
      if [[ $funcstack[1] == _bgrun ]]; then _bgrun "$@"; else compdef _bgrun bgrun; fi

      """
  }

  private func specification(_ option: Option) -> String {
    let repeated = option.isRepeatable ? "*" : ""
    let summary = Self.escaped(option.summary.firstClause)
    guard let value = option.value else { return "\(repeated)\(option.name)[\(summary)]" }
    return "\(repeated)\(option.name)=[\(summary)]:\(value.name):\(action(value.kind))"
  }

  private func specification(_ argument: Argument) -> String {
    switch argument.presence {
    case .required: ":\(argument.name):\(action(argument.kind))"
    case .optional: "::\(argument.name):\(action(argument.kind))"
    case .repeated: "*:\(argument.name):\(action(argument.kind))"
    }
  }

  private func action(_ kind: ValueKind) -> String {
    switch CompletionWords(kind, commands: commands) {
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .files: "_files"
    case .folders: "_files -/"
    case .lines(let command): "{ compadd -- ${(f)\"$(\(command))\"} }"
    case .nothing: " "
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
      .replacing(":", with: "\\:")
  }
}
