import JobModel
import YAMLSource

/// A cron expression that no date matches.
enum NeverFires: JobRule {
  static let rule = Rule(
    "never-fires", .error, "A cron expression that no date matches.",
    explanation: """
      The cron expression is well formed, but no date matches it: the months that it names never \
      have such a day. The job would wait for ever.
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          schedule: {cron: "0 0 30 2 *"}

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          schedule: {cron: "0 0 28 2 *"}

      """)

  static func check(_ job: CheckedJob, report: (Finding) -> Void) {
    guard let cron = job.cron, cron.neverFires, let setting = job.effective(.cron) else { return }
    report(
      Finding(
        rule, at: job.valueRange(setting), "no date ever matches '\(cron.text)'",
        hint: "no month that it names has such a day"))
  }
}
