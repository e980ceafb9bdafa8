import JobModel
import YAMLSource

/// A wildcard identifier where, or as, it may not stand (RG7).
enum WildcardForm {
  static let rule = Rule(
    "wildcard-form", .error,
    "A wildcard ends in '.*', begins with 'app' and belongs to a continuedProcessing job.",
    explanation: """
      An identifier may end in `.*`, which stands for one or more further labels. That is for \
      continuedProcessing jobs only, once, at the end, and behind the `app` identifier, so that \
      a program can permit whole families of its own tasks and none of another's.
      """,
    bad: """
      version: 1
      app: com.example.mail
      jobs:
        - identifier: com.example.mail.export.*
          command: ["true"]

      """,
    good: """
      version: 1
      app: com.example.mail
      jobs:
        - identifier: com.example.mail.export.*
          kind: continuedProcessing
          command: ["true"]

      """)

  static func misplacedStar(_ mistake: IdentifierText.Mistake, at range: ByteRange) -> Finding {
    Finding(rule, at: range, mistake.sentence, hint: "write it as in com.example.export.*")
  }

  static func kind(at range: ByteRange) -> Finding {
    Finding(
      rule, at: range, "only a continuedProcessing job may have a wildcard as its identifier",
      hint: "write the identifier in full, or 'kind: continuedProcessing'")
  }

  static func withoutApp(at range: ByteRange) -> Finding {
    Finding(
      rule, at: range,
      "a wildcard needs the program's identifier, which this manifest doesn't have",
      hint: "write 'app:' at the top level, with what the wildcard begins with")
  }

  static func outsideApp(_ app: String, at range: ByteRange) -> Finding {
    Finding(
      rule, at: range, "a wildcard begins with the program's identifier, '\(app)'",
      hint: "write \(app).….*")
  }

  static func reference(at range: ByteRange) -> Finding {
    Finding(
      rule, at: range, "a wildcard can't be waited for", hint: "name the jobs one by one")
  }
}
