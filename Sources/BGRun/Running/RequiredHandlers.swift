import JobModel

/// What the jobs of a manifest need of the program that runs them, looked at before anything starts
/// (RG6).
struct RequiredHandlers {
  let jobSet: JobSet
  let selection: Set<JobIdentifier>?
  let registry: HandlerRegistry

  /// - Throws: `CommandFailure.notDone` that names every job without a handler, or else every one
  ///   whose parameters don't fit its handler.
  func check() throws(CommandFailure) {
    let missing = jobs.filter { registry.entry(named: $0.handler) == nil }
    // Handlers of continuedProcessing jobs may be registered when they are first needed (RG3).
    let required = missing.filter { $0.job.kind != .continuedProcessing }
    guard required.isEmpty else {
      throw .notDone(
        "no handler is registered for:\n\(list(required.map(\.job.identifier.text)))",
        advice: "Give each a command or shell, or run them with the program that registers them.")
    }
    let misfits = jobs.compactMap { job, handler in
      registry.entry(named: handler)?.mistake(job.parameters).map { "\(job.identifier): \($0)" }
    }
    guard misfits.isEmpty else {
      throw .notDone("parameters don't fit their handlers:\n\(list(misfits))")
    }
  }

  /// The enabled, selected jobs with a handler, and its name.
  private var jobs: [(job: JobDefinition, handler: String)] {
    jobSet.jobs.values.sorted { $0.identifier < $1.identifier }.compactMap { job in
      guard case .handler(let name) = job.action, job.isEnabled,
        selection?.contains(job.identifier) ?? true
      else { return nil }
      return (job, name)
    }
  }

  private func list(_ lines: [String]) -> String {
    lines.map { "  \($0)" }.joined(separator: "\n")
  }
}
