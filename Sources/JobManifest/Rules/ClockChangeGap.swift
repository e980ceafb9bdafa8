import JobModel
import YAMLSource

/// A cron expression that names a time which the clocks jump over (PL8).
enum ClockChangeGap: JobRule {
  static let rule = Rule(
    "dst-gap", .note, "A cron expression names a time that the clocks of its zone jump over.",
    explanation: """
      In a zone with summer time one hour of a year doesn't exist. A cron expression that names \
      a time in it isn't skipped: the job runs once, at the first moment after the gap. If that \
      matters, choose another hour, or `timeZone: UTC`.
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          schedule: {cron: "30 2 * * *", timeZone: Europe/Madrid}

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          schedule: {cron: "30 4 * * *", timeZone: Europe/Madrid}

      """)

  static func check(_ job: CheckedJob, report: (Finding) -> Void) {
    guard let cron = job.cron, !cron.neverFires, let zone = job.zone,
      let setting = job.effective(.cron)
    else { return }
    let gaps = cron.gapDates(in: zone, from: job.environment.now, limit: 2)
    guard let first = gaps.first else { return }
    let dates = gaps.map { "\($0.missing.date)" }.joined(separator: " and ")
    let moment = zone.local(first.runsAt)
    report(
      Finding(
        rule, at: job.valueRange(setting),
        "the clocks of \(zone.name) jump over this time on \(dates)",
        hint: "the job then runs once, at \(moment)"))
  }
}
