package import JobModel

/// How one `bgrun run` was asked for.
package struct EngineConfiguration: Sendable {
  /// When the engine is done.
  package enum Mode: Hashable, Sendable {
    /// Runs until it is stopped.
    case continuous
    /// Runs what is due and eligible, then finishes (PL20).
    case once
    /// As `once`, and waits for what is pending and its retries (PL20).
    case drain
  }

  package var mode: Mode
  /// Only these identifiers are scheduled and claimed; nil is all (`--job`).
  package var selection: Set<JobIdentifier>?
  /// Started at once, their unmet gates passed by (`--now`, PL19).
  package var startNow: [JobIdentifier] = []
  /// The machine's stable name, for `randomDelay` (PL18).
  package var machineID: String
  /// Before this instant the wall clock can't be right: when the program was built (PL15).
  package var builtAt: WallInstant
  /// Whether a person at this runner's terminal waits for what it starts at once (CP9).
  package var isWatched = false
  /// Every run is warned this long after its start, as if at its limit (LC12); nil is real life.
  package var simulatedExpiration: Duration?
  /// Set where Swift handlers run in the runner's own process, in which nothing can be killed: what
  /// becomes of one that doesn't end within its grace (EM1). Nil where each has a process of its own.
  package var handlersInProcess: OverrunPolicy?
  /// Most heads per gate class that the store has to return.
  package var headLimit = 32

  package init(mode: Mode, machineID: String, builtAt: WallInstant) {
    self.mode = mode
    self.machineID = machineID
    self.builtAt = builtAt
  }
}
