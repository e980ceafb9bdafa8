/// One command as a value: what it is called, what it accepts, what help says, and what it does.
///
/// The same description drives parsing, help and usage errors.
package struct Command: Sendable {
  /// A command line as help shows it, and what it does.
  package struct Example: Hashable, Sendable {
    package var line: String
    package var meaning: String

    package init(_ line: String, _ meaning: String) {
      self.line = line
      self.meaning = meaning
    }
  }

  /// Names with their meanings, under a heading.
  package struct Table: Sendable {
    package var heading: String
    package var entries: [(name: String, text: String)]

    package init(_ heading: String, _ entries: [(name: String, text: String)]) {
      self.heading = heading
      self.entries = entries
    }
  }

  package var name: String
  /// One line, without a full stop.
  package var summary: String
  /// Paragraphs, unwrapped.
  package var discussion: [String]
  /// What doesn't fit in paragraphs: a heading, and names with what each means.
  package var table: Table?
  package var arguments: [Argument]
  package var options: [Option]
  package var examples: [Example]
  /// What this command's exit codes mean, beside 70.
  package var exitCodes: [(code: ExitCode, meaning: String)]
  package var perform: @Sendable (Invocation) throws(CommandFailure) -> ExitCode

  package init(
    _ name: String, summary: String, discussion: [String] = [], table: Table? = nil,
    arguments: [Argument] = [], options: [Option] = [], examples: [Example] = [],
    exitCodes: [(code: ExitCode, meaning: String)],
    perform: @escaping @Sendable (Invocation) throws(CommandFailure) -> ExitCode
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.table = table
    self.arguments = arguments
    self.options = options + [.color, .help]
    self.examples = examples
    self.exitCodes = exitCodes
    self.perform = perform
  }
}

/// A command about to run: where it runs and what it was given.
package struct Invocation {
  package var context: CommandContext
  package var arguments: ParsedArguments

  package init(context: CommandContext, arguments: ParsedArguments) {
    self.context = context
    self.arguments = arguments
  }
}
