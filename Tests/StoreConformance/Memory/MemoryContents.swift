import JobModel

/// Everything that a store in memory holds.
struct MemoryContents: Sendable {
  let seed: UInt64
  var revision = Revision(0)
  var recordedTime: WallInstant?
  var jobs: [JobIdentifier: MemoryJob] = [:]
  var owners: [Fence: OwnerEntry] = [:]
  var jobSet: StoredJobSet?
  var identifiersByRequest: [RequestID: JobIdentifier] = [:]
  /// Of live runs and of ended ones that are still in the history.
  var identifiersByRun: [RunNumber: JobIdentifier] = [:]

  private var lastRequest: Int64 = 0
  private var lastRun: Int64 = 0
  private var lastFence: Int64 = 0
  private var lastSequence: Int64 = 0

  struct OwnerEntry: Sendable {
    var owner: Owner
    var isAlive = true
    var isRetired = false
    var device: DeviceState?
  }

  init(seed: UInt64) {
    self.seed = seed
  }

  mutating func nextRequest() -> RequestID {
    lastRequest += 1
    return RequestID(lastRequest)
  }

  mutating func nextRun() -> RunNumber {
    lastRun += 1
    return RunNumber(lastRun)
  }

  mutating func nextSequence() -> Int64 {
    lastSequence += 1
    return lastSequence
  }

  mutating func join(host: String, processID: Int32, at now: WallInstant) -> Owner {
    lastFence += 1
    let owner = Owner(
      name: "owner-\(lastFence)", fence: Fence(lastFence), host: host, processID: processID,
      startedAt: now)
    owners[owner.fence] = OwnerEntry(owner: owner)
    return owner
  }

  mutating func leave(_ owner: Owner) {
    if jobs.values.contains(where: { $0.live.contains { $0.owner == owner.fence } }) {
      owners[owner.fence]?.isAlive = false
    } else {
      owners[owner.fence] = nil
    }
  }

  mutating func adopt(_ dead: Owner, by adopter: Owner) -> [RunRecord]? {
    guard let entry = owners[dead.fence], !entry.isAlive, owners[adopter.fence] != nil else {
      return nil
    }
    owners[dead.fence] = nil
    var adopted: [RunRecord] = []
    for identifier in jobs.keys.sorted() {
      for index in jobs[identifier]!.live.indices
      where jobs[identifier]!.live[index].owner == dead.fence {
        jobs[identifier]!.live[index].owner = adopter.fence
        adopted.append(jobs[identifier]!.live[index])
      }
    }
    if !adopted.isEmpty {
      revision = Revision(revision.value + 1)
      for run in adopted { jobs[run.request.identifier]!.revision = revision }
    }
    return adopted.sorted { $0.run < $1.run }
  }

  mutating func commit(
    _ transitions: [Transition], at now: WallInstant, headLimit: Int
  ) -> CommitReport {
    var change = MemoryChange(recordedTime: max(recordedTime ?? now, now))
    let verdicts = transitions.map { apply($0, in: &change) }
    if change.hasChanges {
      revision = Revision(revision.value + 1)
      recordedTime = change.recordedTime
      for identifier in change.changed { jobs[identifier]!.revision = revision }
    }
    return CommitReport(
      revision: revision, verdicts: verdicts,
      snapshots: change.touched.sorted().map { snapshot(of: $0, headLimit: headLimit) })
  }

  func snapshot(of identifier: JobIdentifier, headLimit: Int) -> JobSnapshot {
    let job = jobs[identifier] ?? MemoryJob(identifier)
    return JobSnapshot(
      identifier: identifier, record: job.record, heads: job.heads(limit: headLimit),
      pendingCount: job.pending.count, live: job.live, revision: revision)
  }
}

/// One identifier in memory.
struct MemoryJob: Sendable {
  var record: JobRecord
  var revision = Revision(0)
  /// In the order in which they become due.
  var pending: [RequestRecord] = []
  /// By number.
  var live: [RunRecord] = []
  var hosts: [RunNumber: String] = [:]
  /// Oldest first.
  private(set) var history: [HistoryRow] = []
  /// The instants that have been recorded and not pruned, oldest first.
  private var recordedInstants: [WallInstant] = []

  init(_ identifier: JobIdentifier) {
    record = JobRecord(identifier: identifier)
  }

  /// The first requests of each gate class whose key isn't running.
  func heads(limit: Int) -> [RequestRecord] {
    let running = Set(live.map(\.request.key))
    var taken: [GateClass: Int] = [:]
    return pending.filter { request in
      guard !running.contains(request.key) else { return false }
      taken[request.gateClass, default: 0] += 1
      return taken[request.gateClass]! <= limit
    }
  }

  mutating func enqueue(_ request: RequestRecord) {
    let place = pending.partitioningIndex { RequestRecord.isDueEarlier(request, $0) }
    pending.insert(request, at: place)
  }

  mutating func dequeue(_ id: RequestID) {
    if let place = pending.firstIndex(where: { $0.id == id }) { pending.remove(at: place) }
  }

  func hasRecorded(_ instant: WallInstant) -> Bool {
    let end = recordedInstants.partitioningIndex { $0 > instant }
    return end > 0 && recordedInstants[end - 1] == instant
  }

  mutating func noteRecorded(_ instant: WallInstant) {
    recordedInstants.insert(instant, at: recordedInstants.partitioningIndex { $0 > instant })
  }

  mutating func append(_ row: HistoryRow) {
    history.append(row)
    record.lastOutcome = row.outcome
    record.lastReason = row.reason
  }

  /// Removes what is older than the limit, but neither the newest row nor the newest run (DU5).
  ///
  /// - Returns: the rows that are gone.
  mutating func prune(endedBefore limit: WallInstant) -> [HistoryRow] {
    let old = history.prefix { $0.endedAt < limit }.count
    guard old > 0 else { return [] }
    let newest = [history.last?.sequence, history.last { $0.run != nil }?.sequence]
    let kept = history[..<old].filter { newest.contains($0.sequence) }
    let pruned = history[..<old].filter { !newest.contains($0.sequence) }
    guard !pruned.isEmpty else { return [] }
    history.replaceSubrange(..<old, with: kept)
    recordedInstants.removeFirst(recordedInstants.partitioningIndex { $0 >= limit })
    return pruned
  }
}

extension Array {
  /// The first place whose element fulfils `belongsBehind`, in an array that is ordered by it.
  fileprivate func partitioningIndex(where belongsBehind: (Element) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if belongsBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
