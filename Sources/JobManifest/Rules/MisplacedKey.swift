import YAMLSource

/// A key that belongs somewhere else.
enum MisplacedKey {
  static let rule = Rule(
    "misplaced-key", .error, "A key that the format has, but in another place.",
    explanation: """
      The format has this key, but in another place, so it would do nothing where it stands. The \
      message says where it belongs.
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          every: 15m

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          schedule: {every: 15m}

      """)

  /// The finding, where another place has the key; nil where none does.
  static func finding(_ name: String, at range: ByteRange, in scope: FieldScope, place: String)
    -> Finding?
  {
    let home = FieldTable.searchOrder.lazy
      .filter { $0 != scope }
      .compactMap { scope in scope.fields.first { $0.name == name }.map { (scope, $0) } }
      .first
    guard let (homeScope, field) = home else { return nil }
    return Finding(
      rule, at: range, "'\(name)' doesn't belong \(place)", hint: hint(homeScope, field, scope))
  }

  private static func hint(_ home: FieldScope, _ field: Field, _ scope: FieldScope) -> String {
    switch home {
    case .topLevel: "it belongs at the top level of the file"
    case .job where scope == .defaults: "it has no default: write it in each job"
    case .job, .defaults: "it belongs in a job: write '\(field.example)' there"
    case .schedule, .retry, .progress, .output, .freeSpace, .concurrency, .pendingLimits,
      .lifecycle:
      "write '\(field.example)'"
    }
  }
}
