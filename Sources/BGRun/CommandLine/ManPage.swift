/// The manual page of the program, made from the table of commands: `docs/bgrun.1`.
package struct ManPage {
  package let commands: [Command]

  package init(commands: [Command]) {
    self.commands = commands
  }

  package var text: String {
    var text = """
      .\\" Made from the table of commands: BGRUN_RECORD=1 swift test --filter ManPageTests
      .TH BGRUN 1 "" "bgrun \(Program.version)" "User Commands"
      .SH NAME
      bgrun \\- background work that waits for its conditions, declared in a manifest
      .SH SYNOPSIS
      .B bgrun
      .I COMMAND
      .RI [ ARGUMENT \\&...]
      .SH DESCRIPTION
      A manifest in YAML declares which jobs may run and under which conditions: mains power, network, an
      idle machine, free space. bgrun checks it, runs each job when its time has come and its conditions
      hold, ends it when it must, and can always say why.
      .SH COMMANDS

      """
    for command in commands { text += section(of: command) }
    text += ".SH OPTIONS\n"
    for (name, meaning) in Self.commonOptions { text += Self.entry(name, meaning) }
    text += ".SH WHAT A COMMAND OF A MANIFEST GETS\n"
    for (name, meaning) in CommandGuide.variables { text += Self.entry(name, meaning) }
    for paragraph in CommandGuide.paragraphs { text += ".PP\n\(Self.escaped(paragraph))\n" }
    text += ".SH EXIT STATUS\n"
    for (code, meaning) in HelpPage.exitCodes { text += Self.entry(code, meaning) }
    text += ".SH ENVIRONMENT\n"
    for (name, meaning) in Self.variables { text += Self.entry(name, meaning) }
    return text + """
      .SH SEE ALSO
      .BR systemd.service (5),
      .BR crontab (5).
      .br
      What a key, a handler, a rule or a reason means: bgrun explain NAME.

      """
  }

  /// What every command has, or the program itself.
  private static let commonOptions = [
    (HelpPage.label(of: .color), Option.color.summary),
    (
      HelpPage.label(of: .help),
      "Show the help of the program or, as bgrun help COMMAND does, of a command: with its examples "
        + "and exit codes."
    ),
    (HelpPage.label(of: .version), Option.version.summary),
  ]

  private static let variables = [
    ("BGRUN_MANIFEST", "The manifest, or a folder of manifests, where none is named."),
    (
      "XDG_CONFIG_HOME, HOME",
      "Without that, after ./jobs: the manifests of $XDG_CONFIG_HOME/bgrun/jobs, or ~/.config/bgrun/jobs."
    ),
    ("BGRUN_STATE", "The folder of the store, where none is named."),
    ("STATE_DIRECTORY", "The same, as systemd sets it for a service."),
    (
      "XDG_STATE_HOME, HOME",
      "Without those: the store is below $XDG_STATE_HOME/bgrun, or ~/.local/state/bgrun, or as root "
        + "/var/lib/bgrun."
    ),
    ("NOTIFY_SOCKET", "Where bgrun run tells systemd that it is ready, reloads or stops."),
    (
      SimulatedExpiration.variable,
      "YES, or a number of seconds: every run is warned 5 s, or so long, after its start, to try what it "
        + "does then."
    ),
    ("NO_COLOR, FORCE_COLOR", "No colour, or colour, whatever reads the output."),
    ("GITHUB_ACTIONS", "bgrun validate --format auto then writes workflow annotations."),
  ]

  private func section(of command: Command) -> String {
    var text = ".SS bgrun \(Self.escaped(HelpPage.synopsis(of: command)))\n"
    text += Self.escaped(command.summary.prefix(1).uppercased() + command.summary.dropFirst())
    text += ".\n"
    for paragraph in command.discussion { text += ".PP\n\(Self.escaped(paragraph))\n" }
    if let table = command.table {
      text += ".PP\n\(Self.escaped(table.heading)):\n"
      for entry in table.entries { text += Self.entry(entry.name, entry.text) }
      text += ".PP\n"
    }
    for argument in command.arguments { text += Self.entry(argument.name, argument.summary) }
    for option in command.options where option != .color && option != .help {
      text += Self.entry(HelpPage.label(of: option), option.summary)
    }
    return text
  }

  private static func entry(_ name: String, _ meaning: String) -> String {
    ".TP\n.B \(escaped(name))\n\(escaped(meaning))\n"
  }

  /// The text as roff takes it literally.
  private static func escaped(_ text: String) -> String {
    let text = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
      .replacing("…", with: "...")
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }
}
