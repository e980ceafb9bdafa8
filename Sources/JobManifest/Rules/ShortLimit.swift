import JobModel
import YAMLSource

/// A handler's time limit above what Apple's systems give its kind.
enum ShortLimit: JobRule {
  static let rule = Rule(
    "short-limit", .note, "A handler's time limit is above what Apple's systems give its kind.")

  static func check(_ job: CheckedJob, report: (Finding) -> Void) {
    guard let kind = job.kind, !job.hasUnknownAction, !job.own.written.contains(.command),
      !job.own.written.contains(.shell), let setting = job.effective(.timeLimit),
      let most = limit(of: kind)
    else { return }
    switch setting.content {
    case .duration(let limit) where limit > most: break
    case .noLimit: break
    default: return
    }
    report(
      Finding(
        rule, at: job.valueRange(setting),
        "on Apple's systems a handler of kind \(kind.rawValue) gets about"
          + " \(DurationText.format(most))"))
  }

  private static func limit(of kind: JobKind) -> Duration? {
    switch kind {
    case .appRefresh: .seconds(30)
    case .processing: .seconds(600)
    case .continuedProcessing: nil
    }
  }
}
