import JobModel

/// What the jobs of a manifest need of the program that runs them, looked at before anything starts
/// (RG6).
struct RequiredHandlers {
  let jobSet: JobSet
  let selection: Set<JobIdentifier>?
  let registry: HandlerRegistry

  /// The identifiers without a handler, sorted.
  var missing: [String] {
    jobSet.jobs.values.filter(isMissing).map(\.identifier.text).sorted()
  }

  /// - Throws: `CommandFailure.notDone` that names every job without a handler.
  func check() throws(CommandFailure) {
    let missing = missing
    guard missing.isEmpty else {
      throw .notDone(
        "no handler is registered for:\n\(missing.map { "  \($0)" }.joined(separator: "\n"))",
        advice: "Give each a command or shell, or run them with the program that registers them.")
    }
  }

  /// Handlers of continuedProcessing jobs may be registered when they are first needed (RG3).
  private func isMissing(_ job: JobDefinition) -> Bool {
    guard case .handler(let name) = job.action, job.isEnabled, job.kind != .continuedProcessing,
      selection?.contains(job.identifier) ?? true
    else { return false }
    return registry.entry(named: name) == nil
  }
}
