import JobModel
import YAMLSource

/// A text that isn't a duration.
enum InvalidDuration {
  static let rule = Rule("invalid-duration", .error, "A text that isn't a duration such as 15m.")

  static func finding(_ mistake: DurationText.Mistake, at range: ByteRange) -> Finding {
    Finding(
      rule, at: range, mistake.sentence, hint: mistake.suggestion.map { "write \($0)" },
      replacement: mistake.suggestion)
  }

  /// A text without any number in it.
  static func noNumber(_ text: String, of field: Field, at range: ByteRange) -> Finding {
    Finding(
      rule, at: range,
      "'\(field.name)': expected \(field.type.expectation), found '\(text.shortened)'")
  }
}
