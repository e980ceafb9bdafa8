/// A process that runs jobs from a store, as the store knows it (DU2).
package struct Owner: Hashable, Sendable {
  /// A random value for each process start.
  package var name: String
  /// Grows with each join; runs and transitions carry it.
  package var fence: Fence
  package var host: String
  package var processID: Int32
  package var startedAt: WallInstant

  package init(
    name: String, fence: Fence, host: String, processID: Int32, startedAt: WallInstant
  ) {
    self.name = name
    self.fence = fence
    self.host = host
    self.processID = processID
    self.startedAt = startedAt
  }
}

/// The conditions that one owner last published, so that `why` and `status` answer elsewhere.
package struct OwnerReport: Hashable, Sendable {
  package var owner: Owner
  package var isAlive: Bool
  /// Whether it starts nothing any more and is alive only for the ends of its runs (EM1).
  package var isRetired: Bool
  package var device: DeviceState?

  package init(owner: Owner, isAlive: Bool, isRetired: Bool = false, device: DeviceState?) {
    self.owner = owner
    self.isAlive = isAlive
    self.isRetired = isRetired
    self.device = device
  }

  /// Whether it is a runner that can start something.
  package var isAtWork: Bool { isAlive && !isRetired }
}

/// The definitions that the runner last ran, kept so that other commands need no manifest.
package struct StoredJobSet: Hashable, Sendable {
  package struct Source: Hashable, Sendable {
    package var path: String
    package var folder: String
    package var text: String

    package init(path: String, folder: String, text: String) {
      self.path = path
      self.folder = folder
      self.text = text
    }
  }

  package var digest: String
  package var sources: [Source]

  package init(digest: String, sources: [Source]) {
    self.digest = digest
    self.sources = sources
  }
}

/// What one commit came to: a verdict for each transition, and the identifiers that its transitions
/// named, refused ones too, as they are now.
package struct CommitReport: Sendable, Equatable {
  package var revision: Revision
  /// One for each transition, in the same order.
  package var verdicts: [Verdict]
  package var snapshots: [JobSnapshot]

  package init(revision: Revision, verdicts: [Verdict], snapshots: [JobSnapshot]) {
    self.revision = revision
    self.verdicts = verdicts
    self.snapshots = snapshots
  }
}

/// Decides and remembers: every store (SQLite, in memory) keeps this contract, and one conformance
/// suite holds each to it.
///
/// Calls block and belong to one thread at a time. Everything acknowledged is durable when a call
/// returns, except `progress`, `stall`, published conditions and claims that say so.
package protocol JobStore: AnyObject {
  /// Joins as a new owner, alive until the process ends or `leave` is called.
  ///
  /// - Throws: `StoreFailure`.
  func join(host: String, processID: Int32, at now: WallInstant) throws(StoreFailure) -> Owner

  /// The descriptor whose open file description proves the owner alive, for processes that clean up
  /// after it to keep open; nil for a store that needs none.
  func livenessDescriptor(of owner: Owner) -> Int32?

  /// Ends the ownership in good order, which is no departure; but with runs that haven't ended it is
  /// one, so that somebody adopts them (DU2).
  func leave(_ owner: Owner) throws(StoreFailure)

  /// Tells the others that an owner starts nothing any more, and is alive only for the ends of its
  /// runs (EM1); it need not survive a crash, which ends the owner too.
  func retire(_ owner: Owner) throws(StoreFailure)

  /// Owners that died without leaving and that nobody has adopted (DU2).
  func departures() throws(StoreFailure) -> [Owner]

  /// Takes over the runs of a dead owner by compare-and-set: nil when somebody else did, when it
  /// is alive, or when the adopter itself has departed (DU2).
  ///
  /// - Returns: The runs as they are now, with the adopter's fence, by number.
  func adopt(_ dead: Owner, by adopter: Owner) throws(StoreFailure) -> [RunRecord]?

  /// Applies the transitions in order as one transaction, with a verdict each; a refused one changes
  /// nothing and doesn't undo its neighbours. A store that fails gives every transition `.failed`
  /// and no snapshots. A commit that changed nothing keeps the revision and the recorded time.
  ///
  /// - Parameters:
  ///   - now: moves the last recorded time forward (PL15).
  ///   - headLimit: most heads per gate class in the snapshots that come back.
  func commit(_ transitions: [Transition], at now: WallInstant, headLimit: Int) -> CommitReport

  /// The identifiers as they are now, sorted; nil is every identifier that the store knows.
  func snapshots(of identifiers: [JobIdentifier]?, headLimit: Int) throws(StoreFailure)
    -> [JobSnapshot]

  /// The identifiers that changed after `revision`, by anybody, and the revision reached.
  func changes(since revision: Revision) throws(StoreFailure) -> (Revision, [JobIdentifier])

  /// Waits until the transaction that another one has under way is visible, or given up.
  func awaitWriter() throws(StoreFailure)

  /// The latest instant at which anything was recorded (PL15); nil for a new store.
  func lastRecordedTime() throws(StoreFailure) -> WallInstant?

  /// The store's random seed, made once (LC9's jitter).
  func seed() throws(StoreFailure) -> UInt64

  /// Publishes what an owner observes; the last one wins, and it need not survive a crash.
  func publish(_ device: DeviceState, of owner: Owner) throws(StoreFailure)

  /// Every owner that hasn't left, with what it published.
  func owners() throws(StoreFailure) -> [OwnerReport]

  func saveJobSet(_ jobSet: StoredJobSet) throws(StoreFailure)
  func loadJobSet() throws(StoreFailure) -> StoredJobSet?
  /// The digest of what `loadJobSet` gives: a cheap look at whether it is another one by now.
  func jobSetDigest() throws(StoreFailure) -> String?

  /// Ended rows, newest first.
  ///
  /// - Parameters:
  ///   - identifier: one identifier, or nil for all.
  ///   - limit: most rows; nil is all.
  func history(of identifier: JobIdentifier?, limit: Int?) throws(StoreFailure) -> [HistoryRow]

  /// The ended run with this number; nil when it is live, pruned or never was.
  func endedRun(_ run: RunNumber) throws(StoreFailure) -> HistoryRow?

  /// Pending requests in the order in which they become due.
  func pending(of identifier: JobIdentifier?, limit: Int) throws(StoreFailure) -> [RequestRecord]

  /// Gives back the memory for what was read or written and may be again: the next calls read it anew.
  func releaseUnusedMemory()
}
