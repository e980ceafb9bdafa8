import JobModel

/// A job that waits for one that isn't in the set (PL16).
enum UnknownReference {
  static let rule = Rule(
    "unknown-reference", .error, "'afterSuccessOf' names a job that isn't in the set.",
    explanation: """
      `afterSuccessOf` names a job that isn't in the set, so its success would never come. The \
      files of a folder are one set: check the whole folder, not one file of it.
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          afterSuccessOf: [com.example.fetsh]
        - identifier: com.example.fetch
          command: ["true"]

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          afterSuccessOf: [com.example.fetch]
        - identifier: com.example.fetch
          command: ["true"]

      """)

  static func diagnostic(_ name: String, known: [String], at place: SetPlace) -> Diagnostic {
    let near = SpellingDistance.nearest(to: name, among: known)
    return place.diagnostic(
      Finding(
        rule, at: place.range, "there is no job '\(name.shortened)' in this set",
        hint: near.map { "did you mean '\($0)'?" },
        replacement: SpellingDistance.onlyNearest(to: name, among: known)))
  }
}
