import YAMLSource

/// A key that stands twice in one mapping.
enum DuplicateKey {
  static let rule = Rule(
    "duplicate-key", .error, "A key that stands twice in one mapping.",
    explanation: """
      A key stands twice in one mapping. Most YAML readers take the last one and say nothing, \
      which is how a change in the upper one goes unnoticed. Both places are shown; remove one.
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          timeLimit: 10m
          timeLimit: 1h

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          timeLimit: 1h

      """)

  static func finding(_ name: String, first: ByteRange, at range: ByteRange) -> Finding {
    Finding(
      rule, at: range, "duplicate key '\(name.shortened)'", hint: "remove one of the two",
      notes: [Finding.Note(range: first, message: "first here")])
  }
}
