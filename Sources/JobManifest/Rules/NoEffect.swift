import JobModel
import YAMLSource

/// A key that the job's kind or action doesn't use.
enum NoEffect: JobRule {
  static let rule = Rule(
    "no-effect", .error, "A key that the job's kind or action doesn't use.",
    explanation: """
      The key is a good one, but not for this job: `schedule` and `timeLimit` mean nothing to a \
      continued task, `title` and `progress` mean nothing to any other, and `environment` needs \
      a program. A key that does nothing misleads whoever reads the manifest next, so it is an \
      error. (Under `defaults` such keys are allowed: there they are for the other jobs.)
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          title: Cleaning up

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          description: Cleaning up

      """)

  private static let needCommand = fields { $0.needsCommand }
  private static let onlyContinued = fields { $0.kinds == [.continuedProcessing] }
  private static let notContinued = fields { !$0.kinds.contains(.continuedProcessing) }

  private static func fields(_ matches: (Field.Effect) -> Bool) -> FieldSet {
    FieldSet(JobFields.all.filter { matches($0.effect) }.map(\.id))
  }

  static func check(_ job: CheckedJob, report: (Finding) -> Void) {
    if let kind = job.kind {
      let unused = kind == .continuedProcessing ? notContinued : onlyContinued
      for setting in job.ownKeys(in: unused) {
        report(
          Finding(
            rule, at: job.keyRange(setting),
            "'\(job.name(setting))' has no effect on a job of kind \(kind.rawValue)",
            hint: "remove it: it is for \(users(of: FieldTable.field(setting.field)))"))
      }
    }
    guard !job.hasUnknownAction, !job.own.written.contains(.command),
      !job.own.written.contains(.shell)
    else { return }
    for setting in job.ownKeys(in: needCommand) {
      report(
        Finding(
          rule, at: job.keyRange(setting),
          "'\(job.name(setting))' has no effect without 'command' or 'shell'",
          hint: "remove it: a handler runs in the program that registers it"))
    }
  }

  private static func users(of field: Field) -> String {
    ValueType.list(
      JobKind.allCases.filter { field.effect.kinds.contains($0) }.map(\.rawValue), "and")
  }
}
