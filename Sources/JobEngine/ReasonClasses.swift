import JobModel

extension Reason {
  /// Conditions of the device, by their manifest keys (lifecycle §1).
  static let conditions: Set<Reason> = [
    .requiresExternalPower, .network, .requiresIdle, .minimumBattery, .minimumFreeSpace,
    .lowPowerMode, .requiredResources,
  ]

  /// Expirations that put the request back without using up an attempt (LC9).
  static let returning: Set<Reason> = conditions.union([.preempted, .shutdown, .ownerLost])
}
