/// One option of a command, as the table declares it.
package struct Option: Hashable, Sendable {
  /// The name with its two hyphens.
  package var name: String
  /// One letter with its hyphen; nil for most.
  package var short: String?
  /// The value's kind and its name in help; nil for a flag.
  package var value: Value?
  package var isRepeatable: Bool
  package var summary: String

  /// What an option takes behind its name.
  package struct Value: Hashable, Sendable {
    package var kind: ValueKind
    package var name: String
  }

  /// A flag: present or not.
  package init(flag name: String, short: String? = nil, _ summary: String) {
    self.name = name
    self.short = short
    self.isRepeatable = false
    self.summary = summary
  }

  /// An option with a value.
  package init(
    _ name: String, _ valueName: String, _ kind: ValueKind, isRepeatable: Bool = false,
    _ summary: String
  ) {
    self.name = name
    self.value = Value(kind: kind, name: valueName)
    self.isRepeatable = isRepeatable
    self.summary = summary
  }
}

extension Option {
  /// `--help`, which every command has.
  package static let help = Option(flag: "--help", short: "-h", "Show this help.")
  /// `--version`, of the program itself.
  package static let version = Option(flag: "--version", "Show the version.")
  /// `--color`, which every command has.
  package static let color = Option(
    "--color", "WHEN", .choice(["auto", "always", "never"]),
    "Colour the text: auto (on a terminal, the default; NO_COLOR and FORCE_COLOR are obeyed), "
      + "always or never.")
  /// `--json`, of the commands that answer programs.
  package static let json = Option(flag: "--json", "Print JSON, with times in UTC.")
  /// `--manifest`, of the commands that need a job set (manifest.md, "Manifests").
  package static let manifest = Option(
    "--manifest", "PATH", .path, isRepeatable: true,
    "The manifest, or a folder of manifests; may be repeated. Otherwise $BGRUN_MANIFEST, or the "
      + "first that exists of ./jobs, $XDG_CONFIG_HOME/bgrun/jobs and /etc/bgrun/jobs.")
  /// `--state`, of the commands that need a store (manifest.md, "Store").
  package static let state = Option(
    "--state", "DIR", .folder,
    "The folder of the store. Otherwise $BGRUN_STATE, $STATE_DIRECTORY, or a folder with the "
      + "name of the manifest's app under $XDG_STATE_HOME/bgrun or ~/.local/state/bgrun (as root "
      + "/var/lib/bgrun).")
  /// `--key`, of the commands about requests (SB1).
  package static let key = Option(
    "--key", "KEY", .text, "The request's key: requests of different keys stand beside each other.")
  /// `--with`, of the commands that submit.
  package static let with = Option(
    "--with", "NAME=VALUE", .parameter, isRepeatable: true,
    "A parameter, over the manifest's 'with'; may be repeated. VALUE is read as JSON where it is "
      + "JSON, otherwise as text.")
}
