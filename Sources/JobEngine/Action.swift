package import JobModel

/// What the shell has to do; the engine itself touches nothing.
package enum Action: Hashable, Sendable {
  /// Propose these transitions as one transaction; answer with `Event.committed`.
  case commit(BatchNumber, [Transition])
  case launch(LaunchOrder)
  case warn(RunNumber, Reason)
  case kill(RunNumber)
  /// Whether a person watches this run now: its priority follows as far as it can (CP9).
  case setForeground(RunNumber, Bool)
  /// Whether a shortage of memory has to be told as `Event.memoryPressure` (CP4).
  case watchMemoryPressure(Bool)
  /// Replaces every wake-up asked for before.
  case wake(WakePlan)
  /// Something a person or a log wants to know.
  case report(Notice)
  /// The paths whose free space has to be sampled from now on; "" is the state directory (PL1).
  /// Jobs that need it wait for an `Event.device` with a reading of each, at most 5 s.
  case observeFreeSpace(Set<String>)
  /// Tell the service manager that stopping takes at most this long (PL14).
  case extendStop(Duration)
  /// Whoever waits for the stop need not wait any longer: only handlers in this process run on, which
  /// nothing can end. Their ends are still recorded when they come; `finish` follows then (EM1).
  case release(Summary)
  /// The engine is done: nothing runs and every end is recorded, or nothing more can be done.
  case finish(Summary)
}

/// The next moments at which the engine wants `Event.woke`; nil sleeps for ever.
package struct WakePlan: Hashable, Sendable {
  /// Deadlines, graces, retries by elapsed time.
  package var monotonic: MonotonicInstant?
  /// Calendar instants; they follow clock steps (PL10).
  package var wall: WallInstant?

  package init(monotonic: MonotonicInstant? = nil, wall: WallInstant? = nil) {
    self.monotonic = monotonic
    self.wall = wall
  }
}

/// What a whole `run` came to.
package struct Summary: Hashable, Sendable {
  package var succeeded = 0
  /// Final failures of any outcome other than success.
  package var failed = 0
  /// What still waits, with its first unmet gate (PL20).
  package var waiting: [Waiting] = []
  /// Why `--now` was refused; nil when it wasn't (PL19).
  package var refusal: String?
  /// The handler for whose overrun the process has to be ended; nil when it needn't be (EM1).
  package var overran: Overrun?
  /// Handlers in this process that still run: their places are kept (EM1).
  package var overruns: [Overrun] = []
  /// What the store suffered from when it was given up; nil when it worked (DU4).
  package var storeFailure: StoreFailure?

  package struct Waiting: Hashable, Sendable {
    package var identifier: JobIdentifier
    package var key: String
    package var gate: GateVerdict

    package init(identifier: JobIdentifier, key: String, gate: GateVerdict) {
      self.identifier = identifier
      self.key = key
      self.gate = gate
    }
  }

  package init() {}
}
