import JobModel
import YAMLSource

/// A cron expression that no date matches.
enum NeverFires: JobRule {
  static let rule = Rule("never-fires", .error, "A cron expression that no date matches.")

  static func check(_ job: CheckedJob, report: (Finding) -> Void) {
    guard let cron = job.cron, cron.neverFires, let setting = job.effective(.cron) else { return }
    report(
      Finding(
        rule, at: job.valueRange(setting), "no date ever matches '\(cron.text)'",
        hint: "no month that it names has such a day"))
  }
}
