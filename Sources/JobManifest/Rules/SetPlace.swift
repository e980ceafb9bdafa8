import YAMLSource

/// A place in one of the sources of a set, with what a diagnostic says about where it is.
struct SetPlace: Sendable {
  let source: Int
  let range: ByteRange
  let job: String?
  /// The number of the job in its list; nil at the top level.
  let jobNumber: Int?
  let field: FieldID
  /// The number of the item in the field's list.
  var item: Int?

  /// Such as `jobs[1].afterSuccessOf[0]`.
  var path: String {
    (jobNumber.map { "jobs[\($0)]." } ?? "") + FieldTable.path(of: field)
      + (item.map { "[\($0)]" } ?? "")
  }

  func diagnostic(_ finding: Finding, seenAt other: SetPlace? = nil, note: String = "first here")
    -> Diagnostic
  {
    Diagnostic(
      finding.rule, source: source, at: finding.range, finding.message, hint: finding.hint,
      notes: other.map {
        [Diagnostic.Note(source: $0.source, range: $0.range, message: note)]
      } ?? [],
      fix: finding.replacement.map { Diagnostic.Fix(range: finding.range, text: $0) },
      job: job, path: path)
  }
}
