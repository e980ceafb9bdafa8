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

/// A number for each pool.
struct PlaceCounts: Hashable, Sendable {
  private var scheduled = 0
  private var continued = 0

  subscript(pool: SlotPool) -> Int {
    get {
      switch pool {
      case .scheduled: scheduled
      case .continued: continued
      }
    }
    set {
      switch pool {
      case .scheduled: scheduled = newValue
      case .continued: continued = newValue
      }
    }
  }
}
