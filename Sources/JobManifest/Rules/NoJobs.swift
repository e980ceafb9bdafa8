import YAMLSource

/// A manifest that permits nothing.
enum NoJobs {
  static let rule = Rule("no-jobs", .warning, "A manifest whose list of jobs is empty.")

  static func finding(at range: ByteRange) -> Finding {
    Finding(rule, at: range, "the list of jobs is empty: nothing may run")
  }
}
