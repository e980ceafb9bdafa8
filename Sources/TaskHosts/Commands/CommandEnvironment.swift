import JobModel

/// The environment of a command's run: little of the runner's own, what the job sets, and the run's
/// facts, the later over the earlier.
enum CommandEnvironment {
  /// Used where the runner itself has no `PATH`.
  static let defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

  /// The variables that belong to the session and pass to every job.
  private static let passed: Set<String> = [
    "PATH", "HOME", "LANG", "TZ", "USER", "SHELL", "TMPDIR",
  ]

  /// The variables that tell of one run; those of a run around this one never show through.
  private static let ofRun: Set<String> = [
    "BGRUN_IDENTIFIER", "BGRUN_KEY", "BGRUN_RUN_ID", "BGRUN_ATTEMPT", "BGRUN_SCHEDULED_AT",
    "BGRUN_DEADLINE", "BGRUN_JOB_DIR", "BGRUN_WITH", "NOTIFY_SOCKET",
  ]

  /// - Parameters:
  ///   - runner: the runner's own environment.
  ///   - notifySocket: the address that the run reports to.
  static func make(
    for order: LaunchOrder, runner: [String: String], jobFolder: String, notifySocket: String
  ) -> [String: String] {
    let policy = order.job.environment
    var result = runner.filter { name, _ in
      !ofRun.contains(name)
        && (policy.inheritsAll || passed.contains(name) || name.hasPrefix("LC_"))
    }
    result["PATH"] = result["PATH"] ?? defaultPath
    result.merge(policy.variables) { _, own in own }
    result["BGRUN_IDENTIFIER"] = order.request.identifier.text
    result["BGRUN_KEY"] = order.request.key
    result["BGRUN_RUN_ID"] = String(order.run.value)
    result["BGRUN_ATTEMPT"] = String(order.request.attempt)
    result["BGRUN_SCHEDULED_AT"] = RFC3339.format(order.request.scheduledAt)
    result["BGRUN_DEADLINE"] = order.deadline.map { RFC3339.format($0) }
    result["BGRUN_JOB_DIR"] = jobFolder
    result["BGRUN_WITH"] = order.request.parameters ?? order.job.parameters
    result["NOTIFY_SOCKET"] = notifySocket
    return result
  }
}
