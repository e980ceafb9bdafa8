/// `bgrun completions`: what a shell completes, made from the table of commands.
enum CompletionsCommand {
  private static let shell = Argument(
    "SHELL", .choice(["bash", "zsh", "fish"]), .required, "bash, zsh or fish.")

  static let command = Command(
    "completions", summary: "completions for bash, zsh or fish",
    discussion: [
      "Prints a script that completes commands, options, their values, paths, names for 'bgrun "
        + "explain' and the identifiers of jobs."
    ],
    arguments: [shell],
    examples: [
      .init("source <(bgrun completions bash)", "In ~/.bashrc."),
      .init("bgrun completions zsh > ~/.zfunc/_bgrun", "A folder of $fpath, before compinit."),
      .init("bgrun completions fish > ~/.config/fish/completions/bgrun.fish", "Once."),
    ],
    exitCodes: [
      (.done, "The script was printed."),
      (.notDone, "The shell isn't known."),
    ],
    perform: { invocation throws(CommandFailure) in
      let table = CommandTable.commands
      let script =
        switch invocation.arguments.text(shell) {
        case "zsh": ZshCompletions(commands: table).script
        case "fish": FishCompletions(commands: table).script
        default: BashCompletions(commands: table).script
        }
      invocation.context.output.write(script)
      return .done
    })
}
