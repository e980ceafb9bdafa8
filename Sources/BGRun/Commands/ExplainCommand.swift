import JobModel

/// `bgrun explain`: a key, handler, rule, gate or reason in a paragraph with an example.
enum ExplainCommand {
  private static let name = Argument(
    "NAME", .topic, .optional,
    "A manifest key such as retry or schedule.cron, a handler of bgrun itself such as files.archive, a "
      + "rule such as unknown-key, or a gate or reason such as network. Without it, all names are "
      + "listed.")

  static let command = Command(
    "explain", summary: "what a manifest key, a handler, a rule, a gate or a reason means",
    discussion: [
      "Rules are the names in brackets behind the messages of 'bgrun validate'; gates and reasons "
        + "are those of 'bgrun why' and 'bgrun history'. A name that means several things is "
        + "explained as each of them."
    ],
    arguments: [name],
    examples: [
      .init("bgrun explain unknown-key", "Why validate reports it, wrong and right."),
      .init("bgrun explain schedule.catchUp", "What the key takes and does."),
    ],
    exitCodes: [
      (.done, "It was explained."),
      (.notDone, "Nothing is called so."),
    ],
    perform: run)

  /// Whether a name is like those that messages cite in brackets, (LC6).
  private static func isLifecycleRule(_ name: String) -> Bool {
    name.prefix { "A"..."Z" ~= $0 }.count == 2
      && name.count > 2 && name.dropFirst(2).allSatisfy { "0"..."9" ~= $0 }
  }

  private static func run(_ invocation: Invocation) throws(CommandFailure) -> ExitCode {
    let output = invocation.context.output
    guard let name = invocation.arguments.text(name) else {
      for name in Topics.names { output.writeLine(name) }
      return .done
    }
    let width = min(output.columns ?? 80, 100)
    let sections = Topics.sections(named: name, style: invocation.outputStyle, width: width)
    guard !sections.isEmpty else {
      let near = SpellingDistance.nearest(to: name, among: Topics.names)
      throw .notDone(
        "nothing is called '\(name)'" + (near.map { "; did you mean '\($0)'?" } ?? ""),
        advice: isLifecycleRule(name)
          ? "The rules of the lifecycle, by their names: docs/lifecycle.md"
          : "All names: bgrun explain")
    }
    output.write(sections.joined(separator: "\n"))
    return .done
  }
}
