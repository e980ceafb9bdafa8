/// One job as the manifest, its defaults and the built-in values describe it: nothing left to look
/// up.
package struct JobDefinition: Hashable, Sendable {
  package var identifier: JobIdentifier
  package var kind: JobKind
  package var description: String?
  package var isEnabled = true
  package var action: JobAction
  /// The handler's parameters as one JSON object, `{}` when the manifest has none.
  package var parameters = "{}"
  package var environment = EnvironmentPolicy()
  /// Absolute path in which a command runs.
  package var workingDirectory: String
  /// Absolute path of the manifest's folder: relative paths resolve against it.
  package var manifestFolder: String
  package var conditions = ConditionRequirements()
  package var strategy = SubmissionStrategy.queue
  /// Floor for explicit submissions, counted from the submission (SB4).
  package var earliestBegin = Duration.zero
  package var schedule: SchedulePolicy?
  package var tolerance = Duration.zero
  /// Longest a run may take; nil is no limit (LC3).
  package var timeLimit: Duration?
  /// Time between the warning and the forced end (LC5).
  package var expirationGrace = Duration.seconds(10)
  package var whenLost = LossPolicy.expire
  package var retry = RetryPolicy()
  package var title: String?
  package var subtitle: String?
  /// How long a continued task may go without progress; nil for the other kinds (CP3).
  package var stallAfter: Duration?
  package var qualityOfService = QualityOfService.utility
  /// Jobs that must each have succeeded since this one's last start (PL16).
  package var afterSuccessOf: [JobIdentifier] = []
  /// Runs of this identifier at a time, for one runner.
  package var maxRunning = 1
  /// Bytes of memory over which a run expires.
  package var memoryLimit: Int64?
  package var output = OutputPolicy()
  /// Age at which ended runs are removed from the history (DU5).
  package var keepHistory = Duration.seconds(30 * 86_400)

  package init(
    identifier: JobIdentifier, kind: JobKind, action: JobAction, manifestFolder: String
  ) {
    self.identifier = identifier
    self.kind = kind
    self.action = action
    self.manifestFolder = manifestFolder
    self.workingDirectory = manifestFolder
  }
}
