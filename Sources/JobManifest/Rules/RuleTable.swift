/// All rules, in the order of their names.
package enum RuleTable {
  package static let all: [Rule] = [
    AliasLimit.rule, AmbiguousScalar.rule, BrokenSyntax.rule, ClockChangeGap.rule,
    Contradiction.rule, CronEitherDay.rule, DependencyCycle.rule, DepthLimit.rule,
    DuplicateIdentifier.rule, DuplicateKey.rule, EmptyManifest.rule, InvalidCron.rule,
    InvalidDuration.rule, InvalidEncoding.rule, InvalidIdentifier.rule, InvalidSize.rule,
    InvalidValue.rule, MisplacedKey.rule, MissingCommand.rule, MissingKey.rule,
    MissingResource.rule,
    NeverFires.rule, NoEffect.rule, NoJobs.rule, OutOfRange.rule, SetConflict.rule,
    ShortLimit.rule, SizeLimit.rule, UndefinedAlias.rule, UnknownKey.rule,
    UnknownReference.rule, UnknownTimeZone.rule, UnusedIgnore.rule, WildcardForm.rule,
    WritableByOthers.rule, WrongParameter.rule, WrongType.rule,
  ].sorted { $0.name < $1.name }

  package static func rule(named name: String) -> Rule? { all.first { $0.name == name } }
}
