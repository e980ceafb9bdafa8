import YAMLSource

/// A comment that silences nothing.
enum UnusedIgnore {
  static let rule = Rule(
    "unused-ignore", .warning, "A comment that ignores a rule which found nothing there.",
    explanation: """
      A comment `# bgrun: ignore[rule]` silences a rule on its line and the next one, `# bgrun: \
      ignore-file[rule]` in the whole file. This one silences nothing: the mistake is gone, the \
      line has moved, or the rule's name is misspelt. Left in place it would hide the next \
      mistake there. Comments for what another machine may find (missing-command, missing-resource) \
      are never unused.
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          timeLimit: 10m  # bgrun: ignore[short-limit] long imports

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          timeLimit: 10m

      """)

  static func finding(_ name: String, known: Rule?, wholeFile: Bool, at range: ByteRange)
    -> Finding
  {
    guard let known else {
      return Finding(
        rule, at: range, "there is no rule '\(name.shortened)' to ignore",
        hint: "the rule stands in brackets behind each message")
    }
    guard known.isIgnorable else {
      return Finding(
        rule, at: range, "'\(name)' can't be ignored: what can't be read can't be checked")
    }
    return Finding(
      rule, at: range,
      "'\(name)' found nothing \(wholeFile ? "in this file" : "here") to ignore",
      hint: "remove it")
  }
}
