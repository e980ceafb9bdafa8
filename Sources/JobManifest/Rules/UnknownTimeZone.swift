import JobModel
import YAMLSource

/// A time zone that this machine doesn't know.
enum UnknownTimeZone {
  static let rule = Rule(
    "unknown-time-zone", .error, "The name of a time zone that this machine doesn't have.",
    explanation: """
      The machine's time-zone database has no zone of this name. Zones are named by area and \
      city, such as `Europe/Madrid`, not by abbreviations such as `CEST`, which several places \
      share.
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          schedule: {cron: "0 3 * * *", timeZone: Europe/Madird}

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          schedule: {cron: "0 4 * * *", timeZone: Europe/Madrid}

      """)

  static func finding(_ name: String, known: [String], at range: ByteRange) -> Finding {
    let near = SpellingDistance.nearest(to: name, among: known)
    return Finding(
      rule, at: range, "there is no time zone '\(name.shortened)' on this machine",
      hint: near.map { "did you mean '\($0)'?" } ?? "use a name such as Europe/Madrid or UTC",
      replacement: SpellingDistance.onlyNearest(to: name, among: known))
  }
}
