import JobModel

extension DoctorReport.Condition {
  /// Every condition of a machine, in the order of the manifest's keys.
  ///
  /// - Parameter isWatched: whether somebody has followed the values, so that it is known since when
  ///   they hold.
  static func all(of device: DeviceState, isWatched: Bool) -> [DoctorReport.Condition] {
    func condition<Value>(
      _ reason: Reason, _ reading: Reading<Value>, _ value: String, note: String? = nil
    ) -> DoctorReport.Condition {
      DoctorReport.Condition(
        name: reason.rawValue, value: value, source: reading.source,
        since: isWatched ? reading.since : nil,
        trust: reading.isAssumed ? .assumed : reading.isStale ? .stale : .known, note: note)
    }

    var conditions = [
      condition(
        .requiresExternalPower, device.externalPower,
        device.externalPower.value ? "on external power" : "on battery"),
      condition(
        .network, device.connectivity, device.connectivity.value.description,
        note: device.connectivity.value == .connected
          ? "nothing here knows whether it is metered, so 'unmetered' counts as 'any'" : nil),
      condition(
        .requiresIdle, device.userActivity, activity(device.userActivity.value)),
      condition(
        .minimumBattery, device.batteryPercent,
        device.batteryPercent.value.map { "\($0) %" } ?? "no battery"),
    ]
    conditions += device.freeSpace.sorted { $0.key < $1.key }.map { path, reading in
      condition(
        .minimumFreeSpace, reading,
        "\(SizeText.approximate(reading.value)) free in \(path.isEmpty ? "the state directory" : path)"
      )
    }
    return conditions + [
      condition(.lowPowerMode, device.isLowPowerMode, device.isLowPowerMode.value ? "on" : "off"),
      condition(.requiredResources, device.hasGPU, device.hasGPU.value ? "gpu" : "no gpu"),
    ]
  }

  private static func activity(_ activity: UserActivity) -> String {
    switch activity {
    case .unattended: "idle: nobody is logged in"
    case .active: "in use"
    case .idle: "idle"
    }
  }
}
