/// Whether one required condition holds now, and what would make it hold (PL13).
package struct ConditionVerdict: Hashable, Sendable {
  /// The condition, by its manifest key.
  package var condition: Reason
  package var isMet: Bool
  package var since: WallInstant
  /// What was observed, for people: "on battery, 43 %".
  package var value: String
  /// What would open an unmet gate, for people; empty when it is met.
  package var opens: String
  /// When it opens by itself, where that is known.
  package var opensAt: WallInstant?
}

extension ConditionRequirements {
  /// The verdict on each required condition, in the order of the manifest's keys; conditions that
  /// aren't required are left out.
  package func verdicts(in device: DeviceState, at now: WallInstant) -> [ConditionVerdict] {
    var verdicts: [ConditionVerdict] = []
    func add<Value>(
      _ condition: Reason, _ isMet: Bool, _ reading: Reading<Value>, value: String, opens: String,
      at instant: WallInstant? = nil
    ) {
      let origin =
        reading.isAssumed
        ? "assumed: no source on this machine"
        : reading.source + (reading.isStale ? ", gone since" : "")
      verdicts.append(
        ConditionVerdict(
          condition: condition, isMet: isMet, since: reading.since, value: "\(value) (\(origin))",
          opens: isMet ? "" : opens, opensAt: isMet ? nil : instant))
    }

    if requiresExternalPower {
      add(
        .requiresExternalPower, device.externalPower.value, device.externalPower,
        value: device.externalPower.value ? "on external power" : "on battery",
        opens: "external power")
    }
    if network != .notRequired {
      let connectivity = device.connectivity.value
      let isMet =
        network == .any
        ? connectivity != .none : connectivity == .unmetered || connectivity == .connected
      add(
        .network, isMet, device.connectivity,
        value: connectivity == .none ? "no network" : "network: \(connectivity)",
        opens: network == .any ? "a usable default route" : "an unmetered network")
    }
    if let quiet = requiresIdle {
      let activity = device.userActivity.value
      var idleAt: WallInstant?
      if case .idle(let since) = activity { idleAt = since + quiet }
      add(
        .requiresIdle, idleAt.map { $0 <= now } ?? (activity == .unattended), device.userActivity,
        value: activity == .active ? "in use" : "idle",
        opens: "\(DurationText.format(quiet)) without user input", at: idleAt)
    }
    if let percent = minimumBattery {
      let charge = device.batteryPercent.value
      let isMet = device.externalPower.value || charge.map { $0 >= percent } ?? true
      add(
        .minimumBattery, isMet, device.batteryPercent,
        value: charge.map { "battery at \($0) %" } ?? "no battery",
        opens: "external power, or a charge of \(percent) %")
    }
    if let space = minimumFreeSpace {
      let reading = device.freeSpace[space.path ?? ""]
      add(
        .minimumFreeSpace, reading.map { $0.value >= space.bytes } ?? true,
        reading ?? Reading(0, source: "not yet read", since: now, isAssumed: true),
        value: reading.map { "\(SizeText.approximate($0.value)) free" } ?? "free space unknown",
        opens: "\(SizeText.format(space.bytes)) free in \(space.path ?? "the state directory")")
    }
    if defersInLowPowerMode {
      add(
        .lowPowerMode, !device.isLowPowerMode.value, device.isLowPowerMode,
        value: device.isLowPowerMode.value ? "low power mode is on" : "low power mode is off",
        opens: "the end of low power mode")
    }
    if requiredResources.contains(.gpu) {
      add(
        .requiredResources, device.hasGPU.value, device.hasGPU,
        value: device.hasGPU.value ? "a GPU is present" : "no GPU", opens: "a GPU")
    }
    return verdicts
  }

  /// The first required condition that doesn't hold, or nil when the job may run.
  package func firstUnmet(in device: DeviceState, at now: WallInstant) -> ConditionVerdict? {
    verdicts(in: device, at: now).first { !$0.isMet }
  }
}

extension Connectivity: CustomStringConvertible {
  /// For people.
  package var description: String {
    switch self {
    case .none: "no network"
    case .metered: "metered"
    case .unmetered: "unmetered"
    case .connected: "connected, not known whether metered"
    }
  }
}
