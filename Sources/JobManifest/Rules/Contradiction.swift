import JobModel
import YAMLSource

/// Keys that can't both hold.
enum Contradiction: JobRule {
  static let rule = Rule(
    "contradiction", .error, "Keys that can't both hold.",
    explanation: """
      Two keys of a job exclude each other, so that one of them would have to be ignored: \
      several of `handler`, `command` and `shell`; `every` beside `cron`; `afterSuccessOf` \
      beside `schedule`; a time limit shorter than its grace; a tolerance longer than the \
      interval or than `startWithin`. Nothing is ever chosen in silence: remove or change one of \
      the two.
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          schedule: {every: 1h, cron: "0 * * * *"}

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          schedule: {every: 1h}

      """)

  private static let actions: [FieldID] = [.handler, .command, .shell]
  static let actionSet = FieldSet(actions)
  /// The smaller ones of the times that are compared.
  private static let waits = FieldSet([FieldID.expirationGrace, .tolerance])
  private static let starts = FieldSet([FieldID.cron, .afterSuccessOf])

  static func check(_ job: CheckedJob, report: (Finding) -> Void) {
    checkActions(job, report)
    checkSchedule(job, report)
    if job.holdsAny(of: waits) { checkTimes(job, report) }
  }

  private static func checkActions(_ job: CheckedJob, _ report: (Finding) -> Void) {
    guard job.own.written.intersection(actionSet).count > 1 else { return }
    let written = job.own.all.filter { actionSet.contains($0.field) }
    guard let first = written.first else { return }
    for other in written.dropFirst() {
      report(
        Finding(
          rule, at: job.keyRange(other),
          "a job has one of 'handler', 'command' and 'shell'; this one has"
            + " '\(job.name(first))' too",
          hint: "remove one of the two",
          notes: [Finding.Note(range: job.keyRange(first), message: "'\(job.name(first))' is here")]
        ))
    }
  }

  private static func checkSchedule(_ job: CheckedJob, _ report: (Finding) -> Void) {
    guard !job.own.written.isDisjoint(with: starts) else { return }
    if let every = job.set(.every), let cron = job.set(.cron) {
      let (first, second) = every.key < cron.key ? (every, cron) : (cron, every)
      report(
        Finding(
          rule, at: job.keyRange(second), "a schedule has either 'every' or 'cron'",
          hint: "remove one of the two",
          notes: [Finding.Note(range: job.keyRange(first), message: "'\(job.name(first))' is here")]
        ))
    }
    if let after = job.set(.afterSuccessOf), let schedule = job.set(.every) ?? job.set(.cron) {
      report(
        Finding(
          rule, at: job.keyRange(after),
          "'afterSuccessOf' and 'schedule' both say when the job starts",
          hint: "remove one of the two",
          notes: [Finding.Note(range: job.keyRange(schedule), message: "the schedule is here")]))
    }
  }

  private static func checkTimes(_ job: CheckedJob, _ report: (Finding) -> Void) {
    checkOrder(
      job, .timeLimit, atLeast: .expirationGrace, report,
      "the time limit is shorter than the grace after it")
    checkOrder(
      job, .every, atLeast: .tolerance, report, "the tolerance is longer than the interval")
    checkOrder(
      job, .startWithin, atLeast: .tolerance, report,
      "'startWithin' is shorter than the tolerance, so that waiting could lose the run")
  }

  /// Reports two durations, both written, of which the first is below the second.
  private static func checkOrder(
    _ job: CheckedJob, _ larger: FieldID, atLeast smaller: FieldID,
    _ report: (Finding) -> Void, _ message: String
  ) {
    guard job.holds(larger), job.holds(smaller), let first = job.effective(larger),
      let second = job.effective(smaller), case .duration(let upper) = first.content,
      case .duration(let lower) = second.content, upper < lower
    else { return }
    let (place, other) = first.key < second.key ? (second, first) : (first, second)
    report(
      Finding(
        rule, at: job.valueRange(place),
        "\(message): \(FieldTable.path(of: larger)) is \(DurationText.format(upper)),"
          + " \(FieldTable.path(of: smaller)) is \(DurationText.format(lower))",
        hint: "change one of the two",
        notes: [Finding.Note(range: job.valueRange(other), message: "the other is here")]))
  }
}
