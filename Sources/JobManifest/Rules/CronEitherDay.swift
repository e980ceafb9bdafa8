import JobModel
import YAMLSource

/// A cron expression that names days of the month and of the week: either matches (PL8).
enum CronEitherDay: JobRule {
  static let rule = Rule(
    "cron-either-day", .warning,
    "A cron expression with days of the month and of the week fires on either.",
    explanation: """
      Cron has a rule that surprises: where day of month and day of week are both set, the job \
      runs on the days that match either of them, not both. The three dates shown beside the \
      warning are the next ones. If that is what you want, say so with `# bgrun: \
      ignore[cron-either-day] reason`.
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          schedule: {cron: "0 4 1 * 1", timeZone: Etc/UTC}

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          schedule: {cron: "0 4 * * 1", timeZone: Etc/UTC}

      """)

  static func check(_ job: CheckedJob, report: (Finding) -> Void) {
    guard let cron = job.cron, cron.matchesEitherDay, let setting = job.effective(.cron) else {
      return
    }
    report(
      Finding(
        rule, at: job.valueRange(setting),
        "day of month and day of week are both set: the job runs when either matches",
        hint: dates(of: cron, job).map { "next: \($0)" } ?? "set only one of the two"))
  }

  private static func dates(of cron: CronExpression, _ job: CheckedJob) -> String? {
    guard let zone = job.zone else { return nil }
    var dates: [String] = []
    var instant = job.environment.now
    while dates.count < 3, let next = cron.next(after: instant, in: zone) {
      dates.append(zone.local(next).description)
      instant = next
    }
    return dates.isEmpty ? nil : dates.joined(separator: ", ")
  }
}
