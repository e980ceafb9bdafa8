package import JobModel

/// Something worth a line in a log or on a terminal, as data: the shell words and colours it.
package enum Notice: Hashable, Sendable {
  case runStarted(RunNumber, JobIdentifier, key: String, attempt: Int)
  case runProgressed(RunNumber, ProgressReport)
  /// A person is asked whether to wait for a run without progress (CP3).
  case runStalled(RunNumber, JobIdentifier, after: Duration)
  case runWarned(RunNumber, JobIdentifier, Reason, grace: Duration)
  case runKilled(RunNumber, JobIdentifier, Reason)
  /// A handler in this process goes on beyond its grace; with `endsProcess` everything else is
  /// stopped and the process ended (EM1).
  case runOverran(Overrun, endsProcess: Bool)
  case runEnded(EndedRun)
  /// A request now waits for this gate.
  case waiting(JobIdentifier, key: String, GateVerdict)
  /// Instants, or a request, ended without a run.
  case rowWithoutRun(JobIdentifier, Outcome, Reason, count: Int, detail: String?)
  /// `run --now` passes these unmet gates by (PL19).
  case gatesPassedBy(JobIdentifier, [GateVerdict])
  /// A condition without a source counts as met, said once (PL1).
  case assumed(Reason)
  /// An anchor in the future was reset (PL7).
  case anchorReset(JobIdentifier, from: WallInstant, to: WallInstant)
  /// The clock can't be right: scheduled instants wait (PL15).
  case clockImplausible(reads: WallInstant, recorded: WallInstant)
  /// The clock is trusted again; the recorded time was reset (PL15).
  case clockTrusted(WallInstant)
  /// The store can't be written; nothing new is claimed (DU4).
  case storeFailed(StoreFailure)
  case storeRecovered
  /// The manifest in force changed (PL12).
  case reloaded(jobs: Int)
  case stopping(StopUrgency, running: Int)
  /// The stop is over, but these handlers run on in this process (EM1).
  case overstaying([Overrun])
  /// The stop waits for background tasks (BG1).
  case finishingInBackground(programs: Int, atMost: Duration)
  /// A program was killed with background tasks begun; its last run was this one (BG5).
  case leaked(RunNumber, JobIdentifier, detail: String)

  /// How one run ended and what follows.
  package struct EndedRun: Hashable, Sendable {
    package var run: RunNumber
    package var identifier: JobIdentifier
    package var key: String
    package var attempt: Int
    package var outcome: Outcome
    package var reason: Reason?
    package var detail: String?
    package var took: Duration
    package var ending: RunEnding
    package var next: RunEnd.Disposition

    package init(
      run: RunNumber, identifier: JobIdentifier, key: String, attempt: Int, outcome: Outcome,
      reason: Reason?, detail: String?, took: Duration, ending: RunEnding,
      next: RunEnd.Disposition
    ) {
      self.run = run
      self.identifier = identifier
      self.key = key
      self.attempt = attempt
      self.outcome = outcome
      self.reason = reason
      self.detail = detail
      self.took = took
      self.ending = ending
      self.next = next
    }
  }
}
