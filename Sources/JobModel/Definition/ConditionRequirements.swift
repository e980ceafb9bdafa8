/// The network that a job wants (PL3).
package enum NetworkRequirement: String, CaseIterable, Hashable, Comparable, Sendable {
  case notRequired
  case any
  case unmetered

  private var strength: Int {
    switch self {
    case .notRequired: 0
    case .any: 1
    case .unmetered: 2
    }
  }

  package static func < (left: Self, right: Self) -> Bool { left.strength < right.strength }
}

/// Free bytes wanted on the file system that holds `path`; no path means the state directory's.
package struct FreeSpaceRequirement: Hashable, Sendable {
  package var path: String?
  package var bytes: Int64

  package init(path: String? = nil, bytes: Int64) {
    self.path = path
    self.bytes = bytes
  }
}

/// A resource of the machine that a continued task needs (CP7).
package enum RequiredResource: String, CaseIterable, Hashable, Sendable {
  case gpu
}

/// Everything a job asks of the device before it starts and while it runs (PL1–PL4).
package struct ConditionRequirements: Hashable, Sendable {
  package var requiresExternalPower = false
  package var network = NetworkRequirement.notRequired
  /// How long the machine must have been without user input; nil when idleness isn't asked for.
  package var requiresIdle: Duration?
  /// Percent of charge; met on external power or without a battery.
  package var minimumBattery: Int?
  package var minimumFreeSpace: FreeSpaceRequirement?
  /// Whether the job waits while the machine is in low power mode.
  package var defersInLowPowerMode = false
  package var requiredResources: Set<RequiredResource> = []

  package init() {}

  /// These requirements with those of a request added: a request may only tighten (SB12).
  package func tightened(by gateClass: GateClass) -> ConditionRequirements {
    var result = self
    result.requiresExternalPower = requiresExternalPower || gateClass.requiresExternalPower
    result.network = max(network, gateClass.network)
    result.requiredResources.formUnion(gateClass.requiredResources)
    return result
  }
}

/// What a request adds to its job's gates; the requests of a job that share one class wait in one
/// queue, of which only the head is looked at.
package struct GateClass: Hashable, Sendable {
  package var requiresExternalPower = false
  package var network = NetworkRequirement.notRequired
  package var requiredResources: Set<RequiredResource> = []
  /// The request's own strategy; nil follows the manifest.
  package var strategy: SubmissionStrategy?
  /// Whether the strategy has been applied or no longer counts (SB7: decided once; work put back
  /// always queues).
  package var isDecided = false
  /// Whether it was started by `run --now`: one attempt, gates passed by (PL19).
  package var isImmediate = false

  package init() {}
}
