import Glibc
import JobEngine
import JobModel

/// What joining the store found.
struct JoinedStore: Sendable {
  var owner: Owner
  var livenessDescriptor: Int32?
  var revision: Revision
  var snapshots: [JobSnapshot]
  var lastRecordedTime: WallInstant?
  var seed: UInt64
  /// Owners that died before, with the runs that this one has adopted.
  var adopted: [(dead: Owner, runs: [RunRecord])]

  /// Joins, and waits for it.
  static func join(
    _ store: StoreThread, _ configuration: RunnerConfiguration, at now: Now
  ) throws(StoreFailure) -> JoinedStore {
    let hostName = configuration.hostName
    let stored = configuration.loaded.stored
    let headLimit = configuration.engine.headLimit
    return try store.wait { store throws(StoreFailure) in
      let owner = try store.join(host: hostName, processID: getpid(), at: now.wall)
      try store.saveJobSet(stored)
      let lastRecordedTime = try store.lastRecordedTime()
      let adopted = try adopt(in: store, by: owner)
      let revision = try store.changes(since: Revision(.max)).0
      return JoinedStore(
        owner: owner, livenessDescriptor: store.livenessDescriptor(of: owner), revision: revision,
        snapshots: try store.snapshots(of: nil, headLimit: headLimit),
        lastRecordedTime: lastRecordedTime, seed: try store.seed(), adopted: adopted)
    }
  }

  /// Takes over the runs of each owner that died (DU2).
  static func adopt(
    in store: any JobStore, by owner: Owner
  ) throws(StoreFailure) -> [(dead: Owner, runs: [RunRecord])] {
    var adopted: [(dead: Owner, runs: [RunRecord])] = []
    for dead in try store.departures() {
      if let runs = try store.adopt(dead, by: owner), !runs.isEmpty {
        adopted.append((dead, runs))
      }
    }
    return adopted
  }
}
