import JobModel
import YAMLSource

/// An identifier that isn't a reverse-DNS name.
enum InvalidIdentifier {
  static let rule = Rule(
    "invalid-identifier", .error, "An identifier that isn't a name such as com.example.cleanup.",
    explanation: """
      An identifier is a reverse-DNS name: at least two labels of letters, digits, `_` and `-`, \
      joined by dots, at most 128 characters in all. It becomes part of file names and of the \
      store, so nothing else may stand in it.
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.clean_up!
          command: ["true"]

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.clean_up
          command: ["true"]

      """)

  static func finding(
    _ mistake: IdentifierText.Mistake, of field: Field, at range: ByteRange
  ) -> Finding {
    // Which name is meant, only its author knows: the suggestion is no fix.
    let suggestion = mistake.suggestion.flatMap { $0.hasSuffix("-") ? nil : $0 }
    return Finding(
      rule, at: range, "'\(field.name)': \(mistake.sentence)",
      hint: suggestion.map { "write \($0)" })
  }
}
