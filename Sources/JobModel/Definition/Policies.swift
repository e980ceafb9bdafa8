/// How often and when failed attempts are repeated (LC9).
package struct RetryPolicy: Hashable, Sendable {
  package enum Backoff: String, CaseIterable, Hashable, Sendable {
    case constant
    case linear
    case exponential
  }

  package var maxAttempts = 1
  package var backoff = Backoff.exponential
  package var initialDelay = Duration.seconds(30)
  package var maxDelay = Duration.seconds(5 * 3600)
  package var hasJitter = true

  package init() {}
}

/// When the scheduled instants of a job are, and what becomes of those that were missed (PL7–PL9,
/// PL17, PL18).
package struct SchedulePolicy: Hashable, Sendable {
  package var schedule: Schedule
  package var catchUp = CatchUp.latest
  /// Most instants that `catchUp: all` runs.
  package var catchUpLimit = 100
  /// Upper bound of the stable offset from the nominal instant.
  package var randomDelay = Duration.zero
  /// An instant that can't start within this time is skipped as too late; nil never is.
  package var startWithin: Duration?

  package init(schedule: Schedule) {
    self.schedule = schedule
  }
}

/// How much captured output is kept (DU5).
package struct OutputPolicy: Hashable, Sendable {
  /// Bytes of one run's log.
  package var maxSize: Int64 = 1 << 20
  /// Logs of the newest runs that are kept.
  package var keep = 20

  package init() {}
}

/// What a command finds in its environment beside the `BGRUN_` variables.
package struct EnvironmentPolicy: Hashable, Sendable {
  /// Whether the runner's own variables are passed through.
  package var inheritsAll = false
  package var variables: [String: String] = [:]

  package init() {}
}
