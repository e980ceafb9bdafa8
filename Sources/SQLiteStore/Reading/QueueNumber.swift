internal import JobModel

/// The queue in which a pending request waits, as the number that the index is ordered by: its gate
/// class, and whether its key is empty.
///
/// The empty key has queues of its own because scheduled instants pile up there: while one of them
/// runs, its queue is left out as a whole instead of being read through.
struct QueueNumber: Hashable {
  let value: Int64

  init(_ value: Int64) {
    self.value = value
  }

  init(_ gateClass: GateClass, key: String) {
    var bits: Int64 = key.isEmpty ? 1 : 0
    if gateClass.requiresExternalPower { bits |= 1 << 1 }
    bits |= Self.place(of: gateClass.network) << 2
    if gateClass.requiredResources.contains(.gpu) { bits |= 1 << 4 }
    bits |= (gateClass.strategy.map { Self.place(of: $0) + 1 } ?? 0) << 5
    if gateClass.isDecided { bits |= 1 << 8 }
    if gateClass.isImmediate { bits |= 1 << 9 }
    value = bits
  }

  var hasEmptyKey: Bool { value & 1 != 0 }

  var gateClass: GateClass {
    var gateClass = GateClass()
    gateClass.requiresExternalPower = value & 1 << 1 != 0
    gateClass.network = Self.case(at: value >> 2 & 0b11) ?? .notRequired
    if value & 1 << 4 != 0 { gateClass.requiredResources = [.gpu] }
    gateClass.strategy = Self.case(at: (value >> 5 & 0b111) - 1)
    gateClass.isDecided = value & 1 << 8 != 0
    gateClass.isImmediate = value & 1 << 9 != 0
    return gateClass
  }

  /// The same queue once the strategy no longer counts (SB7).
  var decided: QueueNumber { QueueNumber(value | 1 << 8) }

  private static func place(of network: NetworkRequirement) -> Int64 {
    switch network {
    case .notRequired: 0
    case .any: 1
    case .unmetered: 2
    }
  }

  private static func place(of strategy: SubmissionStrategy) -> Int64 {
    switch strategy {
    case .queue: 0
    case .skip: 1
    case .fail: 2
    }
  }

  private static func `case`(at place: Int64) -> NetworkRequirement? {
    NetworkRequirement.allCases.first { Self.place(of: $0) == place }
  }

  private static func `case`(at place: Int64) -> SubmissionStrategy? {
    SubmissionStrategy.allCases.first { Self.place(of: $0) == place }
  }
}
