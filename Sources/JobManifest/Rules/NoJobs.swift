import YAMLSource

/// A manifest that permits nothing.
enum NoJobs {
  static let rule = Rule(
    "no-jobs", .warning, "A manifest whose list of jobs is empty.",
    explanation: """
      The list of jobs is empty. Nothing that isn't in a manifest may run, so this one permits \
      nothing. That is allowed, but seldom meant.
      """,
    bad: """
      version: 1
      jobs: []

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]

      """)

  static func finding(at range: ByteRange) -> Finding {
    Finding(
      rule, at: range, "the list of jobs is empty: nothing may run",
      hint: "add a job, or remove the file")
  }
}
