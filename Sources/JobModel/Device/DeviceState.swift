/// One observed fact about the machine, with where it was read and since when it holds.
package struct Reading<Value: Hashable & Sendable>: Hashable, Sendable {
  package var value: Value
  /// Where it was read, as `doctor` and `why` show it: "/sys/class/power_supply/AC", "rtnetlink".
  package var source: String
  /// When the value last changed, or was first seen.
  package var since: WallInstant
  /// Whether no source knows, and the value is the one that lets work go on (PL1).
  package var isAssumed: Bool
  /// Whether the source is gone, and the value is what it said last.
  package var isStale: Bool

  package init(
    _ value: Value, source: String, since: WallInstant, isAssumed: Bool = false,
    isStale: Bool = false
  ) {
    self.value = value
    self.source = source
    self.since = since
    self.isAssumed = isAssumed
    self.isStale = isStale
  }
}

/// How the machine is connected (PL3).
package enum Connectivity: String, Hashable, Sendable {
  case none
  case metered
  case unmetered
  /// There is a way out, and nothing knows whether it is metered: it counts as unmetered.
  case connected
}

/// Whether somebody uses the machine.
package enum UserActivity: Hashable, Sendable {
  /// It counts as idle since ever: no seat, or nothing that sees input.
  case unattended
  case active
  /// No input since then.
  case idle(since: WallInstant)
}

/// What the machine's conditions are now; each runner has its own (PL1).
package struct DeviceState: Hashable, Sendable {
  package var externalPower: Reading<Bool>
  /// Percent of charge; nil without a battery.
  package var batteryPercent: Reading<Int?>
  package var connectivity: Reading<Connectivity>
  package var userActivity: Reading<UserActivity>
  package var isLowPowerMode: Reading<Bool>
  package var hasGPU: Reading<Bool>
  /// Free bytes by the path that a job named, the state directory under "".
  package var freeSpace: [String: Reading<Int64>]

  package init(
    externalPower: Reading<Bool>, batteryPercent: Reading<Int?>,
    connectivity: Reading<Connectivity>, userActivity: Reading<UserActivity>,
    isLowPowerMode: Reading<Bool>, hasGPU: Reading<Bool>,
    freeSpace: [String: Reading<Int64>] = [:]
  ) {
    self.externalPower = externalPower
    self.batteryPercent = batteryPercent
    self.connectivity = connectivity
    self.userActivity = userActivity
    self.isLowPowerMode = isLowPowerMode
    self.hasGPU = hasGPU
    self.freeSpace = freeSpace
  }

  /// A mains-powered, connected, idle machine about which nothing was read: every condition is met
  /// and assumed, except the GPU, which counts as absent (PL1, PL2).
  package static func assumed(at instant: WallInstant) -> DeviceState {
    func assume<Value>(_ value: Value) -> Reading<Value> {
      Reading(value, source: "assumed", since: instant, isAssumed: true)
    }
    return DeviceState(
      externalPower: assume(true), batteryPercent: assume(nil), connectivity: assume(.connected),
      userActivity: assume(.unattended), isLowPowerMode: assume(false), hasGPU: assume(false))
  }
}
