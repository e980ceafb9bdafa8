import JobModel

/// One identifier for two jobs of a set.
enum DuplicateIdentifier {
  static let rule = Rule(
    "duplicate-identifier", .error, "Two jobs of a set have the same identifier.",
    explanation: """
      An identifier names one job in a whole set: it is what is permitted, submitted, recorded \
      and shown. The files of a folder are one set. Both places are shown; give one of the jobs \
      another name.
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
        - identifier: com.example.cleanup
          command: [sqlite3]

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
        - identifier: com.example.compact
          command: [sqlite3]

      """)

  static func diagnostic(_ identifier: String, at place: SetPlace, first: SetPlace) -> Diagnostic {
    place.diagnostic(
      Finding(
        rule, at: place.range, "duplicate identifier '\(identifier.shortened)'",
        hint: "give each job its own"), seenAt: first)
  }
}
