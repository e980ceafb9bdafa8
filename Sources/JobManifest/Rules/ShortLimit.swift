import JobModel
import YAMLSource

/// A handler's time limit above what Apple's systems give its kind.
enum ShortLimit: JobRule {
  static let rule = Rule(
    "short-limit", .note, "A handler's time limit is above what Apple's systems give its kind.",
    explanation: """
      The job is run by a handler that could also run on Apple's systems, where an appRefresh \
      task gets about 30 seconds and a processing task some minutes. With a longer limit it may \
      work here and be cut off there. It is a note, and never given for programs run by \
      `command` or `shell`.
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          kind: appRefresh
          timeLimit: 5m

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          kind: appRefresh
          timeLimit: 30s

      """)

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
          + " \(DurationText.format(most))",
        hint: "it matters only if the handler runs there too"))
  }

  private static func limit(of kind: JobKind) -> Duration? {
    switch kind {
    case .appRefresh: .seconds(30)
    case .processing: .seconds(600)
    case .continuedProcessing: nil
    }
  }
}
