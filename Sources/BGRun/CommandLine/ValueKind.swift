/// What the value of an option or argument is: the parser checks it, help names it, and
/// completions complete it.
package enum ValueKind: Hashable, Sendable {
  case text
  case path
  case folder
  /// The identifier of a job.
  case identifier
  /// The number of a run.
  case run
  case identifierOrRun
  /// A name that `bgrun explain` knows.
  case topic
  case choice([String])
  case count(ClosedRange<Int>)
  case duration
  /// `NAME=VALUE`.
  case parameter
  /// `DONE/TOTAL`.
  case progress
}
