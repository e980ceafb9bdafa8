import JobModel

/// The time limit of a run, as the worker that has it watches it (LC3, LC4).
struct TimeLimitWatch: Hashable, Sendable {
  /// What there is to do ahead of the limit takes a fraction of this, and has been forgotten by the
  /// kernel's scheduler when the limit is reached.
  static let lead = Duration.milliseconds(5)

  enum Moment: Hashable, Sendable {
    /// The limit is near: whoever has to be quick then is prepared.
    case near
    /// The limit is reached: the run is warned.
    case reached
  }

  private let deadline: MonotonicInstant
  private var ahead: Moment? = .near

  init(deadline: MonotonicInstant) {
    self.deadline = deadline
  }

  /// When the next moment comes; nil after the limit.
  var next: MonotonicInstant? {
    switch ahead {
    case .near: deadline + (.zero - Self.lead)
    case .reached: deadline
    case nil: nil
    }
  }

  /// The moment that has come, each once and in their order; nil when none has.
  mutating func pass(at now: MonotonicInstant) -> Moment? {
    guard let next, next <= now else { return nil }
    defer { ahead = ahead == .near ? .reached : nil }
    return ahead
  }
}
