import JobModel
import TaskHosts

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

  /// A sentence for each handler that is for jobs of another kind, sorted (LC1, LC11).
  var mistaken: [String] {
    let permissions = jobSet.handlerPermissions
    return registry.names.flatMap { name -> [String] in
      guard let entry = registry.entry(named: name), entry.kind != nil else { return [] }
      let named = permissions.filter { $0.handler == name }
      // A pattern's handlers have the names of what it permits (RG7).
      let permitting =
        named.isEmpty ? [permissions.permission(for: name)].compactMap(\.self) : named
      return permitting.filter(isSelected).compactMap { permission in
        entry.mistake(
          handling: named.isEmpty ? name : permission.identifier, of: permission.kind)
      }
    }.sorted()
  }

  /// - Throws: `CommandFailure.notDone` that names every job without a handler, or with one that is for
  ///   jobs of another kind.
  func check() throws(CommandFailure) {
    let missing = missing
    guard missing.isEmpty else {
      throw .notDone(
        "no handler is registered for:\n\(missing.map { "  \($0)" }.joined(separator: "\n"))",
        advice: "Give each a command or shell, or run them with the program that registers them.")
    }
    let mistaken = mistaken
    guard mistaken.isEmpty else { throw .notDone(mistaken.joined(separator: "\n")) }
  }

  private func isSelected(_ permission: HandlerPermission) -> Bool {
    let identifier = JobIdentifier(permission.identifier)
    return jobSet.jobs[identifier]?.isEnabled ?? false && selection?.contains(identifier) ?? true
  }

  /// Handlers of continuedProcessing jobs may be registered when they are first needed (RG3).
  private func isMissing(_ job: JobDefinition) -> Bool {
    guard case .handler(let name) = job.action, job.isEnabled, job.kind != .continuedProcessing,
      selection?.contains(job.identifier) ?? true
    else { return false }
    return registry.entry(named: name) == nil
  }
}
