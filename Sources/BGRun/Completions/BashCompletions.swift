/// The completions of bash.
struct BashCompletions {
  let commands: [Command]

  var script: String {
    let names = (commands.map(\.name) + ["help", "--help", "--version"]).joined(separator: " ")
    var text = """
      # bash completions of bgrun; made by 'bgrun completions bash'.
      _bgrun() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
        COMPREPLY=()
        if [ "$COMP_CWORD" -eq 1 ]; then
          COMPREPLY=($(compgen -W \(names.shellQuoted) -- "$current"))
          return
        fi
        case "${COMP_WORDS[1]} $previous" in

      """
    for command in commands {
      for option in command.options {
        guard let value = option.value else { continue }
        text += "    \("\(command.name) \(option.name)".shellQuoted))\n"
        text += reply(CompletionWords(value.kind, commands: commands)) + "      return ;;\n"
      }
    }
    text += """
        esac
        case "${COMP_WORDS[1]}" in

      """
    for command in commands { text += branch(of: command) }
    let plain = commands.map(\.name).joined(separator: " ")
    return text + """
          help)
            COMPREPLY=($(compgen -W \(plain.shellQuoted) -- "$current")) ;;
        esac
      }
      complete -F _bgrun bgrun

      """
  }

  private func branch(of command: Command) -> String {
    let options = command.options.map(\.name).joined(separator: " ")
    var text = """
          \(command.name))
            case $current in
              -*) COMPREPLY=($(compgen -W \(options.shellQuoted) -- "$current")) ;;

      """
    if let argument = command.arguments.first {
      text += "        *)\n"
      text += reply(CompletionWords(argument.kind, commands: commands))
      text += "          ;;\n"
    }
    return text + "      esac ;;\n"
  }

  private func reply(_ words: CompletionWords) -> String {
    switch words {
    case .words(let words): line("-W \(words.joined(separator: " ").shellQuoted)")
    case .files: "      compopt -o filenames\n" + line("-f")
    case .folders: "      compopt -o filenames\n" + line("-d")
    case .lines(let command): line("-W \"$(\(command))\"")
    case .nothing: "      :\n"
    }
  }

  private func line(_ source: String) -> String {
    "      COMPREPLY=($(compgen \(source) -- \"$current\"))\n"
  }
}
