package import JobModel
import Synchronization

/// The store in memory, for tests and simulations: the same contract and the same numbers as any
/// other store.
///
/// Several handles on one `MemoryWorld` stand for several processes on one store. Each handle
/// belongs to one thread at a time; the world may be shared between threads.
package final class MemoryStore: JobStore {
  package let world: MemoryWorld

  package init(_ world: MemoryWorld = MemoryWorld()) {
    self.world = world
  }

  package func join(
    host: String, processID: Int32, at now: WallInstant
  ) throws(StoreFailure) -> Owner {
    try world.access { $0.join(host: host, processID: processID, at: now) }
  }

  package func livenessDescriptor(of owner: Owner) -> Int32? { nil }

  package func retire(_ owner: Owner) throws(StoreFailure) {
    try world.access { $0.owners[owner.fence]?.isRetired = true }
  }

  package func leave(_ owner: Owner) throws(StoreFailure) {
    try world.access { $0.leave(owner) }
  }

  package func departures() throws(StoreFailure) -> [Owner] {
    try world.access { contents in
      contents.owners.values.filter { !$0.isAlive }.map(\.owner).sorted { $0.fence < $1.fence }
    }
  }

  package func adopt(_ dead: Owner, by adopter: Owner) throws(StoreFailure) -> [RunRecord]? {
    try world.access { $0.adopt(dead, by: adopter) }
  }

  package func commit(
    _ transitions: [Transition], at now: WallInstant, headLimit: Int
  ) -> CommitReport {
    do throws(StoreFailure) {
      return try world.access { $0.commit(transitions, at: now, headLimit: headLimit) }
    } catch {
      return CommitReport(
        revision: world.revisionWhileFailing,
        verdicts: transitions.map { _ in .failed(error) }, snapshots: [])
    }
  }

  package func snapshots(
    of identifiers: [JobIdentifier]?, headLimit: Int
  ) throws(StoreFailure) -> [JobSnapshot] {
    try world.access { contents in
      (identifiers ?? Array(contents.jobs.keys)).sorted().map {
        contents.snapshot(of: $0, headLimit: headLimit)
      }
    }
  }

  /// Its transactions are visible at once.
  package func awaitWriter() {}

  package func changes(
    since revision: Revision
  ) throws(StoreFailure) -> (Revision, [JobIdentifier]) {
    try world.access { contents in
      let changed = contents.jobs.filter { $0.value.revision > revision }
      return (contents.revision, changed.keys.sorted())
    }
  }

  package func lastRecordedTime() throws(StoreFailure) -> WallInstant? {
    try world.access { $0.recordedTime }
  }

  package func seed() throws(StoreFailure) -> UInt64 {
    try world.access { $0.seed }
  }

  package func publish(_ device: DeviceState, of owner: Owner) throws(StoreFailure) {
    try world.access { $0.owners[owner.fence]?.device = device }
  }

  package func owners() throws(StoreFailure) -> [OwnerReport] {
    try world.access { contents in
      contents.owners.values.sorted { $0.owner.fence < $1.owner.fence }.map {
        OwnerReport(
          owner: $0.owner, isAlive: $0.isAlive, isRetired: $0.isRetired, device: $0.device)
      }
    }
  }

  package func saveJobSet(_ jobSet: StoredJobSet) throws(StoreFailure) {
    try world.access { $0.jobSet = jobSet }
  }

  package func jobSetDigest() throws(StoreFailure) -> String? { try loadJobSet()?.digest }

  package func loadJobSet() throws(StoreFailure) -> StoredJobSet? {
    try world.access { $0.jobSet }
  }

  package func history(
    of identifier: JobIdentifier?, limit: Int?
  ) throws(StoreFailure) -> [HistoryRow] {
    try world.access { contents in
      let rows =
        if let identifier {
          contents.jobs[identifier]?.history ?? []
        } else {
          contents.jobs.values.flatMap(\.history).sorted { $0.sequence < $1.sequence }
        }
      return Array(rows.reversed().prefix(max(0, limit ?? .max)))
    }
  }

  package func endedRun(_ run: RunNumber) throws(StoreFailure) -> HistoryRow? {
    try world.access { contents in
      contents.identifiersByRun[run].flatMap { contents.jobs[$0] }?.history.first { $0.run == run }
    }
  }

  package func pending(
    of identifier: JobIdentifier?, limit: Int
  ) throws(StoreFailure) -> [RequestRecord] {
    try world.access { contents in
      let requests =
        if let identifier {
          contents.jobs[identifier]?.pending ?? []
        } else {
          contents.jobs.values.flatMap(\.pending).sorted(by: RequestRecord.isDueEarlier)
        }
      return Array(requests.prefix(max(0, limit)))
    }
  }

  /// All that it holds is the store itself.
  package func releaseUnusedMemory() {}
}

/// What several `MemoryStore` handles share, with the faults that a test may cause.
package final class MemoryWorld: Sendable {
  private let state: Mutex<State>

  private struct State: Sendable {
    var contents: MemoryContents
    var failure: StoreFailure?
  }

  package init(seed: UInt64 = 0x5EED) {
    state = Mutex(State(contents: MemoryContents(seed: seed)))
  }

  /// Ends an owner as SIGKILL ends a process: it hasn't left, and it is no longer alive (DU2).
  package func kill(_ owner: Owner) {
    state.withLock { $0.contents.owners[owner.fence]?.isAlive = false }
  }

  /// Makes every call fail with this until it is set to nil again (DU4).
  package func fail(with failure: StoreFailure?) {
    state.withLock { $0.failure = failure }
  }

  var revisionWhileFailing: Revision { state.withLock { $0.contents.revision } }

  func access<Result: Sendable>(
    _ body: (inout MemoryContents) -> Result
  ) throws(StoreFailure) -> Result {
    let outcome: Swift.Result<Result, StoreFailure> = state.withLock { state in
      if let failure = state.failure { return .failure(failure) }
      return .success(body(&state.contents))
    }
    return try outcome.get()
  }
}
