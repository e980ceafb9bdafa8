import YAMLSource

/// A file in which no manifest stands.
enum EmptyManifest {
  static let rule = Rule(
    "empty-manifest", .error, "A file in which no manifest stands.",
    explanation: """
      The file is empty, or holds only comments. A file that was meant to declare jobs and \
      doesn't is a mistake in nearly every case, such as an interrupted save.
      """,
    bad: """
      # Jobs of the mail program.

      """,
    good: """
      # Jobs of the mail program.
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]

      """)

  static func finding(hasBytes: Bool, at range: ByteRange) -> Finding {
    Finding(
      rule, at: range,
      hasBytes ? "the file has no manifest (only comments)" : "the file has no manifest (empty)",
      hint: "begin with 'version: 1' and 'jobs:'")
  }
}
