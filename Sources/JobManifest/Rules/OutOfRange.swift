import JobModel
import YAMLSource

/// A number, duration or size outside what its key takes; nothing is ever clamped.
enum OutOfRange {
  static let rule = Rule(
    "out-of-range", .error, "A value outside the limits of its key.",
    explanation: """
      The value is a number, duration or size outside the limits of its key. The message names \
      the limit. Nothing is ever moved to the nearest limit in silence.
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          retry: {maxAttempts: 500}

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          retry: {maxAttempts: 100}

      """)

  static func integer(_ text: String, for field: Field, at range: ByteRange) -> Finding {
    Finding(
      rule, at: range, field.name, expected: field.type.expectation,
      found: "the number \(text.shortened)")
  }

  static func tooShort(
    _ least: Duration, for field: Field, found: Duration, at range: ByteRange
  ) -> Finding {
    let expected =
      least <= .milliseconds(1)
      ? "a duration longer than nothing" : "a duration of at least \(DurationText.format(least))"
    return Finding(
      rule, at: range, field.name, expected: expected, found: DurationText.format(found),
      hint: noneHint(field))
  }

  private static func noneHint(_ field: Field) -> String? {
    if case .duration(_, _, let word?) = field.type { "write '\(word)' for no limit" } else { nil }
  }

  static func tooLong(
    _ most: Duration, for field: Field, found: Duration, at range: ByteRange
  ) -> Finding {
    Finding(
      rule, at: range, field.name,
      expected: "a duration of at most \(DurationText.format(most))",
      found: DurationText.format(found))
  }
}
