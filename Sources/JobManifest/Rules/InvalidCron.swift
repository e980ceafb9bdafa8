import JobModel
import YAMLSource

/// A text that isn't a cron expression.
enum InvalidCron {
  static let rule = Rule(
    "invalid-cron", .error, "A text that isn't a cron expression of five fields.",
    explanation: """
      A cron expression has five fields: minute (0 to 59), hour (0 to 23), day of month (1 to \
      31), month (1 to 12 or JAN to DEC) and day of week (0 to 7 or SUN to SAT), each a `*`, a \
      number, a list, a range or a step. `@hourly`, `@daily`, `@weekly`, `@monthly` and \
      `@yearly` work too. The caret stands under the part that can't be read.
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          schedule: {cron: "0 25 * * *"}

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          schedule: {cron: "0 23 * * *"}

      """)

  /// `range` is that of the mistake inside the text; `whole` that of the text.
  static func finding(
    _ mistake: CronExpression.Mistake, of field: Field, at range: ByteRange
  ) -> Finding {
    Finding(
      rule, at: range, "'\(field.name)': \(mistake.sentence)",
      hint: mistake.suggestion.map { "write \"\($0)\"" })
  }
}
