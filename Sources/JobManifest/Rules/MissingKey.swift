import YAMLSource

/// A key without which the rest means nothing.
enum MissingKey {
  static let rule = Rule(
    "missing-key", .error, "A required key isn't there.",
    explanation: """
      A key without which the rest means nothing isn't there: `version` and `jobs` in a \
      manifest, `identifier` in a job, `kind` in a job that a handler runs, `every` or `cron` in \
      a schedule.
      """,
    bad: """
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]

      """)

  /// `subject` reads as in "job 'com.example.cleanup'".
  static func finding(_ field: Field, of subject: String, at range: ByteRange) -> Finding {
    Finding(
      rule, at: range, "\(subject) has no '\(field.name)'", hint: "write '\(field.example)'")
  }

  static func kind(of subject: String, at range: ByteRange) -> Finding {
    Finding(
      rule, at: range, "\(subject) has no 'kind', which a handler needs",
      hint: "write 'kind: processing', or what to run as 'command' or 'shell'")
  }

  static func interval(of subject: String, at range: ByteRange) -> Finding {
    Finding(
      rule, at: range, "the schedule of \(subject) has neither 'every' nor 'cron'",
      hint: "write 'every: 15m' or 'cron: \"0 3 * * *\"'")
  }
}
