import JobModel
import YAMLSource

/// A text that isn't a size.
enum InvalidSize {
  static let rule = Rule(
    "invalid-size", .error, "A text that isn't a size such as 512MiB.",
    explanation: """
      A size is a whole number and a unit: `KiB`, `MiB` and `GiB` are powers of 1024, `kB`, `MB` \
      and `GB` of 1000. A single letter such as `G` means one to some people and the other to \
      others, so it is refused.
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          memoryLimit: 2G

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          memoryLimit: 2GiB

      """)

  static func finding(
    _ mistake: SizeText.Mistake, of field: Field, at range: ByteRange
  ) -> Finding {
    // A unit that was left out may be another: the suggestion is no fix.
    Finding(
      rule, at: range, "'\(field.name)': \(mistake.sentence)",
      hint: mistake.suggestion.map { "write \($0)" })
  }

  /// A text without any number in it.
  static func noNumber(_ found: String, of field: Field, at range: ByteRange) -> Finding {
    Finding(
      rule, at: range, field.name, expected: field.type.expectation, found: found,
      hint: "write '\(field.example)'")
  }
}
