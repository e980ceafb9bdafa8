import JobModel
import YAMLSource

/// A text that isn't a duration.
enum InvalidDuration {
  static let rule = Rule(
    "invalid-duration", .error, "A text that isn't a duration such as 15m.",
    explanation: """
      A duration is a whole number and a unit, or several with the largest unit first: `500ms`, \
      `30s`, `15m`, `6h`, `7d`, `1h30m`. A bare number would leave the unit to a guess, and \
      `1:30` means different things to different readers.
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          timeLimit: 90

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          timeLimit: 90s

      """)

  static func finding(
    _ mistake: DurationText.Mistake, of field: Field, at range: ByteRange
  ) -> Finding {
    // What `1:30` or a sign was meant to say, only its author knows: that suggestion is no fix.
    let isCertain =
      switch mistake {
      case .sexagesimal, .negative: false
      default: true
      }
    return Finding(
      rule, at: range, "'\(field.name)': \(mistake.sentence)",
      hint: mistake.suggestion.map { "write \($0)" },
      replacement: isCertain ? mistake.suggestion : nil)
  }

  /// A text without any number in it.
  static func noNumber(_ found: String, of field: Field, at range: ByteRange) -> Finding {
    Finding(
      rule, at: range, field.name, expected: field.type.expectation, found: found,
      hint: "write '\(field.example)'")
  }
}
