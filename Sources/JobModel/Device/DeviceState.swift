/// One observed fact about the machine, with where it was read and since when it holds.
package struct Reading<Value: Hashable & Sendable>: Hashable, Sendable {
  package var value: Value
  /// Where it was read, as `doctor` and `why` show it: "/sys/class/power_supply/AC", "rtnetlink".
  package var source: String
  /// When the value last changed, or was first seen.
  package var since: WallInstant
  /// Whether no source knows, and the value is the one that lets work go on (PL1).
  package var isAssumed: Bool

  package init(_ value: Value, source: String, since: WallInstant, isAssumed: Bool = false) {
    self.value = value
    self.source = source
    self.since = since
    self.isAssumed = isAssumed
  }
}

/// How the machine is connected (PL3).
package enum Connectivity: String, Hashable, Sendable {
  case none
  case metered
  case unmetered
}

/// What the machine's conditions are now; each runner has its own (PL1).
package struct DeviceState: Hashable, Sendable {
  package var externalPower: Reading<Bool>
  /// Percent of charge; nil without a battery.
  package var batteryPercent: Reading<Int?>
  package var connectivity: Reading<Connectivity>
  /// The last user input; nil while the machine counts as idle since ever (no seat, no source).
  package var lastInput: Reading<WallInstant?>
  package var isLowPowerMode: Reading<Bool>
  package var hasGPU: Reading<Bool>
  /// Free bytes by the path that a job named, the state directory under "".
  package var freeSpace: [String: Reading<Int64>]

  package init(
    externalPower: Reading<Bool>, batteryPercent: Reading<Int?>,
    connectivity: Reading<Connectivity>, lastInput: Reading<WallInstant?>,
    isLowPowerMode: Reading<Bool>, hasGPU: Reading<Bool>,
    freeSpace: [String: Reading<Int64>] = [:]
  ) {
    self.externalPower = externalPower
    self.batteryPercent = batteryPercent
    self.connectivity = connectivity
    self.lastInput = lastInput
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
      externalPower: assume(true), batteryPercent: assume(nil), connectivity: assume(.unmetered),
      lastInput: assume(nil), isLowPowerMode: assume(false), hasGPU: assume(false))
  }
}
