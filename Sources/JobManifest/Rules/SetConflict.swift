import YAMLSource

/// Two values, in one set, for a key that holds for the whole set.
enum SetConflict {
  static let rule = Rule(
    "set-conflict", .error, "Two manifests of a set differ in a key that holds for the whole set.",
    explanation: """
      `app`, `concurrency`, `pendingLimits` and `lifecycle` hold for the whole set: all files of \
      a folder, and all documents of a file. Where they are written twice with different values, \
      one would have to be ignored. Write each once; the same value again does no harm.
      """,
    bad: """
      version: 1
      app: com.example.mail
      jobs:
        - identifier: com.example.mail.fetch
          command: ["true"]
      ---
      version: 1
      app: com.example.post
      jobs:
        - identifier: com.example.mail.send
          command: ["true"]

      """,
    good: """
      version: 1
      app: com.example.mail
      jobs:
        - identifier: com.example.mail.fetch
          command: ["true"]
      ---
      version: 1
      jobs:
        - identifier: com.example.mail.send
          command: ["true"]

      """)

  static func diagnostic(_ id: FieldID, at place: SetPlace, first: SetPlace) -> Diagnostic {
    place.diagnostic(
      Finding(
        rule, at: place.range,
        "'\(FieldTable.path(of: id))' holds for the whole set, and has another value before",
        hint: "write it once"), seenAt: first)
  }
}
