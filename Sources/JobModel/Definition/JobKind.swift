/// Which lifecycle a job follows; the names are Apple's.
package enum JobKind: String, CaseIterable, Hashable, Sendable {
  case appRefresh
  case processing
  case continuedProcessing
}

/// What runs when a job is launched.
package enum JobAction: Hashable, Sendable {
  /// A handler that a program registered under this name (RG1).
  case handler(String)
  /// A program with its arguments, without a shell.
  case command([String])
  /// A line for `/bin/sh -c`.
  case shell(String)

  /// Whether a program runs, rather than a Swift handler.
  package var isCommand: Bool {
    if case .handler = self { false } else { true }
  }
}

/// What to do when conditions are unmet at the due time (SB7).
package enum SubmissionStrategy: String, CaseIterable, Hashable, Sendable {
  case queue
  case skip
  case fail
}

/// Order among eligible jobs and the priority of their processes (PL5).
package enum QualityOfService: String, CaseIterable, Hashable, Comparable, Sendable {
  case background
  case utility
  case userInitiated

  /// The nice value of a run's processes.
  package var niceness: Int32 {
    switch self {
    case .background: 10
    case .utility: 5
    case .userInitiated: 0
    }
  }

  package static func < (left: Self, right: Self) -> Bool { left.niceness > right.niceness }
}

/// What a condition that is lost while its job runs does to the run (PL4).
package enum LossPolicy: String, CaseIterable, Hashable, Sendable {
  case expire
  case `continue`
}
