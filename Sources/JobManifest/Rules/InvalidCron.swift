import JobModel
import YAMLSource

/// A text that isn't a cron expression.
enum InvalidCron {
  static let rule = Rule(
    "invalid-cron", .error, "A text that isn't a cron expression of five fields.")

  /// `range` is that of the mistake inside the text; `whole` that of the text.
  static func finding(_ mistake: CronExpression.Mistake, at range: ByteRange) -> Finding {
    Finding(
      rule, at: range, mistake.sentence,
      hint: mistake.suggestion.map { "write \"\($0)\"" })
  }
}
