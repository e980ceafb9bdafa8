/// The runs that may go on at the same time, for one runner (PL5, CP6).
package struct ConcurrencyLimits: Hashable, Sendable {
  /// Runs of appRefresh and processing jobs together.
  package var total: Int
  package var continuedProcessing = 3

  package init(total: Int) {
    self.total = total
  }
}

/// The requests that may wait, per kind; nil is no limit (SB2).
package struct PendingLimits: Hashable, Sendable {
  package var appRefresh: Int?
  package var processing: Int?
  package var continuedProcessing: Int?

  package init() {}

  /// Apple's: one refresh request and ten processing requests may wait. For continued ones Apple
  /// publishes no figure; ten is *policy*.
  package static let apple: PendingLimits = {
    var limits = PendingLimits()
    limits.appRefresh = 1
    limits.processing = 10
    limits.continuedProcessing = 10
    return limits
  }()

  package func limit(for kind: JobKind) -> Int? {
    switch kind {
    case .appRefresh: appRefresh
    case .processing: processing
    case .continuedProcessing: continuedProcessing
    }
  }
}

/// The times of a program's own lifecycle (lifecycle §6, PL4).
package struct LifecycleLimits: Hashable, Sendable {
  /// The pool of time in the background (BG3).
  package var backgroundTime = Duration.seconds(30)
  /// Time in the background before suspension; nil is never (BG2).
  package var suspendAfter: Duration? = .seconds(5)
  /// How long a lost condition may stay away before its runs expire (PL4).
  package var conditionGrace = Duration.seconds(10)

  package init() {}
}

/// Everything that manifests permit: the value that the engine runs.
package struct JobSet: Sendable, Equatable {
  /// The program's identifier, which names the store.
  package var app: String
  package var concurrency: ConcurrencyLimits
  package var pendingLimits = PendingLimits()
  package var lifecycle = LifecycleLimits()
  /// The entries by their manifest identifier, patterns included.
  package private(set) var jobs: [JobIdentifier: JobDefinition]
  /// Names this content: the same digest is the same job set.
  package var digest: String
  private var wildcards: [JobIdentifier]

  package init(
    app: String, concurrency: ConcurrencyLimits, jobs: [JobDefinition], digest: String
  ) {
    self.app = app
    self.concurrency = concurrency
    self.jobs = Dictionary(
      jobs.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
    self.digest = digest
    // The longest prefix wins (RG7), so it is asked first.
    wildcards = jobs.map(\.identifier).filter(\.isWildcard)
      .sorted { ($0.text.utf8.count, $1.text) > ($1.text.utf8.count, $0.text) }
  }

  /// The entry that permits `identifier`: an exact one, else the longest pattern (RG7); nil when
  /// nothing permits it (SB3).
  package func definition(for identifier: JobIdentifier) -> JobDefinition? {
    if let exact = jobs[identifier] { return exact }
    guard let pattern = wildcards.first(where: { $0.covers(identifier) }) else { return nil }
    return jobs[pattern]
  }
}
