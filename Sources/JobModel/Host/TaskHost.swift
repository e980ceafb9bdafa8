/// What a host needs to start one run.
package final class LaunchOrder: Hashable, Sendable {
  package let run: RunNumber
  package let request: RequestRecord
  /// The definition in force at the launch; a later reload doesn't change a running run (PL12).
  package let job: JobDefinition
  package let startedAt: WallInstant
  /// When the time limit is reached by the wall clock; nil without a limit. For display
  /// (`BGRUN_DEADLINE`): the engine keeps the real one, on the monotonic clock (LC3).
  package let deadline: WallInstant?
  /// The same by the monotonic clock, for a handler's remaining time.
  package let monotonicDeadline: MonotonicInstant?

  package init(
    run: RunNumber, request: RequestRecord, job: JobDefinition, startedAt: WallInstant,
    deadline: WallInstant?, monotonicDeadline: MonotonicInstant? = nil
  ) {
    self.run = run
    self.request = request
    self.job = job
    self.startedAt = startedAt
    self.deadline = deadline
    self.monotonicDeadline = monotonicDeadline
  }

  package static func == (left: LaunchOrder, right: LaunchOrder) -> Bool {
    left.run == right.run && left.request == right.request && left.job == right.job
      && left.startedAt == right.startedAt && left.deadline == right.deadline
      && left.monotonicDeadline == right.monotonicDeadline
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(run) }
}

/// What a run said of itself; parts that it didn't mention are nil.
package struct ProgressReport: Hashable, Sendable {
  /// 0…1.
  package var fraction: Double?
  package var title: String?
  package var subtitle: String?
  /// Time asked for beyond the present limit (`EXTEND_TIMEOUT_USEC`).
  package var extending: Duration?

  package init(
    fraction: Double? = nil, title: String? = nil, subtitle: String? = nil,
    extending: Duration? = nil
  ) {
    self.fraction = fraction
    self.title = title
    self.subtitle = subtitle
    self.extending = extending
  }
}

/// How the processes of a run ended, and what they used (ST3, ST5).
package struct RunEnding: Hashable, Sendable {
  /// The exit status of the run's own process; nil when a signal ended it or none was started.
  package var exitStatus: Int32?
  /// The signal that ended it.
  package var signal: Int32?
  /// Bytes of the largest resident set.
  package var peakMemory: Int64?
  package var cpuTime: Duration?
  /// Whether the host had to use SIGKILL on the run's own process (ST4).
  package var wasKilled = false
  /// How a Swift handler completed; nil for a command, whose exit status tells.
  package var completion: HandlerCompletion?
  /// Whether its handler was warned of its time limit; a host may do that a moment before it is asked
  /// to (LC4).
  package var hasReachedLimit = false

  package init() {}
}

/// How a Swift handler's run was completed, by the handler or, in its place, by the host.
package enum HandlerCompletion: Hashable, Sendable {
  case succeeded
  /// Without success; the reason is one of handlerThrew, handlerMissing, neverCompleted and
  /// protocolError, the detail a sentence.
  case failed(Reason, detail: String?)
}

/// What a host tells of its runs; `ended` comes once, when everything the run started is gone (ST2).
package enum HostEvent: Hashable, Sendable {
  case started(RunNumber)
  case progressed(RunNumber, ProgressReport)
  /// Resident bytes have gone over the job's memory limit.
  case exceededMemory(RunNumber, bytes: Int64)
  /// Nothing was started; the sentence says what was attempted and why it failed.
  case launchFailed(RunNumber, detail: String)
  case ended(RunNumber, RunEnding)
  /// What programs hold beside or after their runs has changed; the whole of it as it is now (BG1).
  case holding(HeldWork)
  /// A program was killed with background tasks begun, which the sentence names; they belong to
  /// this run, its last one (BG5).
  case leaked(RunNumber, JobIdentifier, detail: String)
}

/// Executes runs. All calls and events are on the runner's one thread.
package protocol TaskHost: AnyObject {
  /// Where events go; set once, before the first launch.
  var deliver: ((HostEvent) -> Void)? { get set }

  /// Starts the run; `started` or `launchFailed` follows, never before this call returns.
  func launch(_ order: LaunchOrder)

  /// Gives the expiration warning: the reason is readable before the signal arrives (LC4).
  func warn(_ run: RunNumber, reason: Reason)

  /// Moves a run behind other work because nobody watches it, or back; where the way back would be
  /// barred, nothing is moved (CP9). A run that the host doesn't know is not an error.
  func setForeground(_ run: RunNumber, _ isForeground: Bool)

  /// Kills everything that the run started (LC5); `ended` follows when it is gone.
  func kill(_ run: RunNumber)

  /// The machine is about to sleep: programs go to the background (BG2).
  func enterBackground()

  /// It is awake again.
  func enterForeground()

  /// Removes the output of ended runs that the history no longer has (DU5).
  func removeOutput(of runs: [RunNumber], of identifier: JobIdentifier)

  /// Ends what a run of a dead owner may have left behind, before the run is recorded as
  /// interrupted (DU2); `completion` follows on the runner's thread.
  func removeLeftovers(of runs: [RunRecord], owner: Owner, completion: @escaping () -> Void)
}

extension TaskHost {
  /// Programs without phases have nothing to do.
  package func enterBackground() {}

  package func enterForeground() {}
}
