package import JobModel

/// Names one commit that the engine asked for; its verdicts come back under the same number.
package struct BatchNumber: Hashable, Comparable, Sendable {
  package let value: Int

  package init(_ value: Int) {
    self.value = value
  }

  package static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

/// How a stop was asked for (PL14).
package enum StopUrgency: Hashable, Sendable {
  /// Warn what runs, wait its grace.
  case graceful
  /// A second signal: the grace is 0.
  case immediate
}

/// What happened; the only way in which the engine learns anything.
package enum Event: Sendable {
  /// The store was joined: everything it knows of the job set. Comes first, once.
  case joined(Joining)
  /// A wake-up that was asked for has come, or time may have passed.
  case woke
  /// The store's answer to a `commit` action, with the touched identifiers as they are now.
  case committed(BatchNumber, CommitReport)
  /// Somebody else changed these identifiers.
  case changed([JobSnapshot])
  case device(DeviceState)
  case host(HostEvent)
  /// Runs of a dead owner were adopted and nothing of them is left (DU2).
  case adopted([RunRecord])
  /// Other runs than before are followed from a terminal (CP3, CP9).
  case attended(Attendance)
  /// The machine is short of memory; only while `Action.watchMemoryPressure` asks for it (CP4).
  case memoryPressure
  /// A valid manifest replaced the one in force (PL12).
  case reloaded(JobSet)
  /// The wall clock was set, or the time zone changed (PL10).
  case clockStepped
  /// The kernel reports the clock as synchronised (PL15).
  case clockSynchronised
  case stop(StopUrgency)

  /// What is known when the store has been joined.
  package struct Joining: Sendable {
    package var owner: Owner
    package var snapshots: [JobSnapshot]
    package var device: DeviceState
    /// The store's last recorded time (PL15); nil for a new store.
    package var lastRecordedTime: WallInstant?
    /// The store's seed (LC9).
    package var seed: UInt64
    /// Runs of owners that died before, adopted, with nothing left of them (DU2).
    package var adopted: [RunRecord]

    package init(
      owner: Owner, snapshots: [JobSnapshot], device: DeviceState, lastRecordedTime: WallInstant?,
      seed: UInt64, adopted: [RunRecord] = []
    ) {
      self.owner = owner
      self.snapshots = snapshots
      self.device = device
      self.lastRecordedTime = lastRecordedTime
      self.seed = seed
      self.adopted = adopted
    }
  }
}
