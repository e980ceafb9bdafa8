import JobModel

/// The places that runs of one runner take: continued tasks have their own (CP6, PL5).
enum SlotPool: Hashable, Sendable, CaseIterable {
  /// appRefresh and processing jobs together.
  case scheduled
  case continued

  init(for kind: JobKind) {
    switch kind {
    case .appRefresh, .processing: self = .scheduled
    case .continuedProcessing: self = .continued
    }
  }

  func capacity(in limits: ConcurrencyLimits) -> Int {
    switch self {
    case .scheduled: limits.total
    case .continued: limits.continuedProcessing
    }
  }
}
