import JobModel
import YAMLSource

/// An identifier that isn't a reverse-DNS name.
enum InvalidIdentifier {
  static let rule = Rule(
    "invalid-identifier", .error, "An identifier that isn't a name such as com.example.cleanup.")

  static func finding(_ mistake: IdentifierText.Mistake, at range: ByteRange) -> Finding {
    Finding(
      rule, at: range, mistake.sentence, hint: mistake.suggestion.map { "write \($0)" },
      replacement: mistake.suggestion)
  }
}
