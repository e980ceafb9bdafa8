import Glibc
import JobEngine
import JobModel
import LinuxSystem

/// Tells a service's listener what happens, in the words of `bgrun run`. Only for the runner's thread.
final class ServiceVoice {
  private let listener: @Sendable (BackgroundService.Event) -> Void
  private let zone: TimeZoneRules
  private var pacing = LinePacing()

  init(_ service: BackgroundService, zone: TimeZoneRules) {
    listener = service.onEvent
    self.zone = zone
  }

  func show(_ notice: Notice, at now: Now) {
    guard pacing.isWorthALine(notice, at: now.monotonic) else { return }
    say(NoticeWording.record(of: notice, zone: zone))
  }

  /// - Parameter shown: diagnostics, which `bgrun run` would have written before the line.
  func say(_ record: LogRecord, shown: String = "") {
    var record = record
    if !shown.isEmpty { record.message += ":\n\(shown)" }
    listener(BackgroundService.Event(record))
  }

  /// What a manifest asks for and a handler in this process can't have.
  func sayWhatHasNoEffect(in jobSet: JobSet) {
    let limited = jobSet.jobs.values.filter { !$0.action.isCommand && $0.memoryLimit != nil }
    for identifier in limited.map(\.identifier).sorted() {
      say(
        LogRecord(
          level: .warning, event: "memory-limit-unused",
          message: "\(identifier): memoryLimit has no effect on a handler in this process, whose "
            + "memory can't be told from the rest"
        ).with("identifier", identifier.text))
    }
  }

  /// The last words; the standard error has them too, since a listener may write later (EM1).
  func endProcess(because overrun: Overrun) -> Never {
    let record = LogRecord(
      level: .error, event: "process-ended",
      message: "this process ends with status \(BackgroundService.overrunExitStatus): run "
        + "\(overrun.run) of \(overrun.identifier) did not end within its grace "
        + "(\(overrun.reason.rawValue))"
    ).with("identifier", overrun.identifier.text).with("run", overrun.run.value)
    say(record)
    StandardErrorEvents().write(BackgroundService.Event(record))
    // Nothing at exit may wait for a lock that the handler holds.
    _exit(BackgroundService.overrunExitStatus)
  }
}
