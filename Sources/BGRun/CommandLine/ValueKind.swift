/// What the value of an option or argument is: the parser checks it, help names it, and
/// completions will complete it.
package enum ValueKind: Hashable, Sendable {
  case text
  case path
  case folder
  /// The identifier of a job.
  case identifier
  /// The number of a run.
  case run
  case identifierOrRun
  case choice([String])
  case count(ClosedRange<Int>)
  case duration
  /// `NAME=VALUE`.
  case parameter
  /// `DONE/TOTAL`.
  case progress
}
