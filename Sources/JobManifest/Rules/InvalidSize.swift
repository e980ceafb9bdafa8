import JobModel
import YAMLSource

/// A text that isn't a size.
enum InvalidSize {
  static let rule = Rule("invalid-size", .error, "A text that isn't a size such as 512MiB.")

  static func finding(_ mistake: SizeText.Mistake, at range: ByteRange) -> Finding {
    Finding(
      rule, at: range, mistake.sentence, hint: mistake.suggestion.map { "write \($0)" },
      replacement: mistake.suggestion)
  }
}
