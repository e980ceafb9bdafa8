/// Why something was not started, was stopped, or ended as it did: one closed list with the same
/// names in every message, column and gate (lifecycle §1).
package enum Reason: String, CaseIterable, Hashable, Sendable {
  case timeLimit
  case requiresExternalPower
  case network
  case requiresIdle
  case minimumBattery
  case minimumFreeSpace
  case lowPowerMode
  case requiredResources
  case memoryLimit
  case progressStalled
  case userCancelled
  case shutdown
  case preempted
  case handlerExited
  case handlerSignalled
  case handlerThrew
  case handlerMissing
  case launchFailed
  case neverCompleted
  case ownerLost
  case replaced
  case disabled
  case missed
  case tooLate
  case strategySkip
  case strategyFail
  case clock
  case concurrency
  case maxRunning
  case retryDelay
  case earliestBegin
  case afterSuccessOf
  case tolerance
  case randomDelay
  case notPermitted
  case protocolError
  case runner
}

/// How a run, or a row without a run, ended (lifecycle §1, ST4, ST5).
package enum Outcome: String, CaseIterable, Hashable, Sendable {
  case succeeded
  case failed
  case expired
  case terminated
  case crashed
  case cancelled
  case interrupted
  /// A row without a run: instants or a request that never started, with a count.
  case skipped
}
