import JobModel
import YAMLSource

/// A rule that looks at a job as a whole, once all its keys are read.
protocol JobRule: SendableMetatype {
  static func check(_ job: CheckedJob, report: (Finding) -> Void)
}

/// The rules of this kind, in the order in which they report at one place.
enum JobRules {
  static let all: [any JobRule.Type] = [
    Contradiction.self, NoEffect.self, NeverFires.self, CronEitherDay.self, ClockChangeGap.self,
    MissingCommand.self, ShortLimit.self, WrongParameter.self, MissingResource.self,
  ]
}
