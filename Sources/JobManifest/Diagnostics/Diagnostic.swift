package import YAMLSource

/// One finding: where, what, and what to do about it.
package struct Diagnostic: Hashable, Sendable {
  /// A further place that explains a finding.
  package struct Note: Hashable, Sendable {
    /// The number of the file among the sources that were given.
    package var source: Int
    package var range: ByteRange
    package var message: String
  }

  /// An edit that mends the finding without a decision.
  package struct Fix: Hashable, Sendable {
    package var range: ByteRange
    package var text: String
  }

  package var rule: Rule
  /// The number of the file among the sources that were given.
  package var source: Int
  package var range: ByteRange
  package var message: String
  /// A few words for the caret's line: what to write instead.
  package var hint: String?
  /// At most two.
  package var notes: [Note]
  package var fix: Fix?
  /// The identifier of the job that holds the place.
  package var job: String?
  /// The place in the manifest, such as `jobs[1].network`.
  package var path: String?

  package init(
    _ rule: Rule, source: Int, at range: ByteRange, _ message: String, hint: String? = nil,
    notes: [Note] = [], fix: Fix? = nil, job: String? = nil, path: String? = nil
  ) {
    self.rule = rule
    self.source = source
    self.range = range
    self.message = message
    self.hint = hint
    self.notes = Array(notes.prefix(2))
    self.fix = fix
    self.job = job
    self.path = path
  }

  package var severity: Severity { rule.severity }
}
