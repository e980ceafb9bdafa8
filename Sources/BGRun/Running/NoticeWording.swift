import JobEngine
import JobModel

/// The words and fields of each notice.
enum NoticeWording {
  static func record(of notice: Notice, zone: TimeZoneRules) -> LogRecord {
    func time(_ instant: WallInstant) -> String {
      RFC3339.format(instant, offset: zone.offset(at: instant), fractionDigits: 0)
    }

    switch notice {
    case .runStarted(let run, let identifier, let key, let attempt):
      let repeated = attempt > 1 ? ", attempt \(attempt)" : ""
      return LogRecord(
        level: .info, event: "run-started",
        message: "\(name(identifier, key)): run \(run) started\(repeated)"
      )
      .of(identifier, key: key).with("run", run.value).with("attempt", attempt)

    case .runProgressed(let run, let report):
      let percent = report.fraction.map { "\(Int(($0 * 100).rounded(.down))) %" }
      let words = [percent, report.title, report.subtitle].compactMap { $0 }
      return LogRecord(
        level: .debug, event: "run-progressed",
        message: "run \(run): \(words.joined(separator: ", "))"
      )
      .with("run", run.value).with("fraction", report.fraction.map(LogRecord.Value.number))
      .with("title", report.title).with("subtitle", report.subtitle)

    case .runStalled(let run, let identifier, let after):
      return LogRecord(
        level: .notice, event: "run-stalled",
        message: "\(identifier): run \(run) has made no progress for "
          + "\(DurationText.format(.seconds(after.components.seconds))), "
          + "who follows it is asked whether to wait"
      )
      .of(identifier).with("run", run.value).with("after", .number(after.inSeconds))

    case .runWarned(let run, let identifier, let reason, let grace):
      return LogRecord(
        level: .warning, event: "run-warned",
        message: "\(identifier): run \(run) is expiring (\(reason.rawValue)), "
          + "it has \(DurationText.format(grace)) to end"
      )
      .of(identifier).with("run", run.value).with("reason", reason.rawValue)
      .with("grace", .number(grace.inSeconds))

    case .runKilled(let run, let identifier, let reason):
      return LogRecord(
        level: .warning, event: "run-killed",
        message: "\(identifier): run \(run) did not end within its grace and is killed "
          + "(\(reason.rawValue))"
      )
      .of(identifier).with("run", run.value).with("reason", reason.rawValue)

    case .runOverran(let overrun, let endsProcess):
      let what = endsProcess ? "this process will end for it" : "it keeps its place until it ends"
      return LogRecord(
        level: .error, event: "run-overran",
        message: "\(name(overrun.identifier, overrun.key)): run \(overrun.run) did not end within "
          + "its grace (\(overrun.reason.rawValue)) and can't be killed in this process; \(what)"
      )
      .of(overrun.identifier, key: overrun.key).with("run", overrun.run.value)
      .with("reason", overrun.reason.rawValue)

    case .overstaying(let overruns):
      let names = overruns.map { "\(name($0.identifier, $0.key)) (run \($0.run))" }
      return LogRecord(
        level: .error, event: "overstaying",
        message: "stopped, but handlers run on in this process, each in its place until it ends: "
          + names.joined(separator: ", ")
      ).with("runs", overruns.map { String($0.run.value) }.joined(separator: " "))

    case .runEnded(let ended):
      return record(of: ended, time: time)

    case .waiting(let identifier, let key, let gate):
      let opens = gate.opensAt.map { " at \(time($0))" } ?? ""
      let what = gate.opens.isEmpty ? "" : ", opens with \(gate.opens)\(opens)"
      return LogRecord(
        level: .info, event: "waiting",
        message: "\(name(identifier, key)): waiting for \(gate.gate.rawValue) "
          + "(\(gate.value)\(what))"
      )
      .of(identifier, key: key).with("gate", gate.gate.rawValue).with("value", gate.value)
      .with("opensAt", gate.opensAt.map(time))

    case .rowWithoutRun(let identifier, let outcome, let reason, let count, let detail):
      let instants = count == 1 ? "" : ", \(count) instants"
      let more = detail.map { ", \($0)" } ?? ""
      return LogRecord(
        level: outcome == .failed ? .error : .notice, event: "ended-without-run",
        message: "\(identifier): \(outcome.rawValue) without a run "
          + "(\(reason.rawValue)\(more)\(instants))"
      )
      .of(identifier).with("outcome", outcome.rawValue).with("reason", reason.rawValue)
      .with("count", count).with("detail", detail)

    case .gatesPassedBy(let identifier, let gates):
      let unmet = gates.map { "\($0.gate.rawValue) (\($0.value))" }.joined(separator: ", ")
      return LogRecord(
        level: .notice, event: "gates-passed-by",
        message: "\(identifier): starting now, although \(unmet)"
      ).of(identifier).with("gates", gates.map(\.gate.rawValue).joined(separator: " "))

    case .assumed(let condition):
      return LogRecord(
        level: .notice, event: "condition-assumed",
        message: "\(condition.rawValue): this machine has no source for it, it counts as met"
      ).with("condition", condition.rawValue)

    case .anchorReset(let identifier, let from, let to):
      return LogRecord(
        level: .warning, event: "anchor-reset",
        message: "\(identifier): its last instant, \(time(from)), lies in the future; "
          + "the schedule goes on from \(time(to))"
      ).of(identifier).with("from", time(from)).with("to", time(to))

    case .clockImplausible(let reads, let recorded):
      return LogRecord(
        level: .warning, event: "clock-implausible",
        message: "the clock reads \(time(reads)), but \(time(recorded)) is already past: "
          + "scheduled instants wait until it is right"
      ).with("reads", time(reads)).with("recorded", time(recorded))

    case .clockTrusted(let instant):
      return LogRecord(
        level: .notice, event: "clock-trusted",
        message: "the clock is trusted again at \(time(instant)); schedules go on"
      ).with("at", time(instant))

    case .storeFailed(let failure):
      return LogRecord(
        level: .error, event: "store-failed",
        message: "\(failure.sentence). Nothing new starts until it works again; "
          + "what ended is kept.")

    case .storeRecovered:
      return LogRecord(
        level: .notice, event: "store-recovered", message: "the store can be written again")

    case .reloaded(let jobs):
      return LogRecord(
        level: .notice, event: "reloaded",
        message: "the manifest was reloaded: \(jobs) \(jobs == 1 ? "job" : "jobs")"
      ).with("jobs", jobs)

    case .stopping(let urgency, let running):
      let what = urgency == .graceful ? "stopping" : "stopping at once"
      return LogRecord(
        level: .notice, event: "stopping",
        message: running == 0 ? what : "\(what): \(running) running"
      ).with("running", running)

    case .finishingInBackground(let programs, let bound):
      return LogRecord(
        level: .notice, event: "finishing-in-background",
        message: "\(programs == 1 ? "a program finishes" : "\(programs) programs finish") work in "
          + "the background: that may take \(DurationText.format(rounded(bound)))"
      ).with("programs", programs).with("seconds", .number(bound.inSeconds))

    case .leaked(let run, let identifier, let detail):
      return LogRecord(
        level: .error, event: "background-leak",
        message: "\(identifier): the program of run \(run) is killed: \(detail)"
      ).of(identifier).with("run", run.value).with("detail", detail)
    }
  }

  private static func record(of ended: Notice.EndedRun, time: (WallInstant) -> String) -> LogRecord
  {
    let why = [ended.reason?.rawValue, ended.detail].compactMap { $0 }
    var sentence =
      "\(name(ended.identifier, ended.key)): run \(ended.run) \(ended.outcome.rawValue)"
    if !why.isEmpty { sentence += " (\(why.joined(separator: ", ")))" }
    sentence += " after \(DurationText.format(rounded(ended.took)))"
    var retry: String?
    if case .again(let notBefore, _, let attempt, _) = ended.next {
      sentence += "; pending again, attempt \(attempt) not before \(time(notBefore))"
      retry = time(notBefore)
    }
    return LogRecord(level: level(of: ended.outcome), event: "run-ended", message: sentence)
      .of(ended.identifier, key: ended.key).with("run", ended.run.value)
      .with("attempt", ended.attempt).with("outcome", ended.outcome.rawValue)
      .with("reason", ended.reason?.rawValue).with("detail", ended.detail)
      .with("exitStatus", ended.ending.exitStatus).with("signal", ended.ending.signal)
      .with("seconds", .number(ended.took.inSeconds)).with("retryAt", retry)
  }

  private static func level(of outcome: Outcome) -> LogLevel {
    switch outcome {
    case .succeeded: .info
    case .skipped, .cancelled, .interrupted: .notice
    case .expired: .warning
    case .failed, .terminated, .crashed: .error
    }
  }

  private static func name(_ identifier: JobIdentifier, _ key: String) -> String {
    key.isEmpty ? identifier.text : "\(identifier) [\(key)]"
  }

  /// Three significant places are enough for a person.
  private static func rounded(_ duration: Duration) -> Duration {
    let milliseconds = duration.microseconds / 1000
    return milliseconds < 10_000 ? .milliseconds(milliseconds) : .seconds(milliseconds / 1000)
  }
}

extension LogRecord {
  fileprivate consuming func of(_ identifier: JobIdentifier, key: String = "") -> LogRecord {
    with("identifier", identifier.text).with("key", key.isEmpty ? nil : key)
  }
}
