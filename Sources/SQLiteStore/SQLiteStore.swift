package import JobModel

/// The store in one SQLite file, `store.db` in the state directory, shared by every process of one
/// machine (DU1–DU4).
///
/// Everything acknowledged is synchronous (`synchronous = FULL`); progress and published conditions
/// aren't. A store object belongs to one thread at a time. SQLite's write-ahead file is shared
/// memory, so a store is never used from two machines: the lock of an owner decides on its life
/// whatever its host is called today.
///
/// Commands that can be suspended block SIGTSTP around their calls: a stopped writer would hold the
/// others up until their patience ends (PL14).
package final class SQLiteStore: JobStore {
  let folder: StoreFolder
  let connection: SQLiteConnection
  let patience: Duration
  private var locks: [Fence: OwnerLock] = [:]
  private var lastRevision = Revision(0)

  /// Opens the store in a state directory, both made first where they don't exist.
  ///
  /// - Parameters:
  ///   - directory: the state directory; made with mode 0700, the file with 0600.
  ///   - patience: longest wait of each call for other processes (PL14).
  /// - Throws: `StoreFailure` (DU4).
  package convenience init(
    path directory: String, patience: Duration = .seconds(10)
  ) throws(StoreFailure) {
    let folder = StoreFolder(path: directory)
    let opening = StoreOpening(folder: folder, patience: patience)
    self.init(folder: folder, connection: try opening.openOrCreate(), patience: patience)
  }

  private init(folder: StoreFolder, connection: SQLiteConnection, patience: Duration) {
    self.folder = folder
    self.connection = connection
    self.patience = patience
  }

  /// Opens the store of a state directory for a command that only asks; nil when there is none, and
  /// none is made.
  ///
  /// - Throws: `StoreFailure` (DU4).
  package static func open(
    existing directory: String, patience: Duration = .seconds(10)
  ) throws(StoreFailure) -> SQLiteStore? {
    let folder = StoreFolder(path: directory)
    guard try folder.holdsStore() else { return nil }
    let opening = StoreOpening(folder: folder, patience: patience)
    return SQLiteStore(
      folder: folder, connection: try opening.openExisting(), patience: patience)
  }

  /// What a runner watches with inotify to learn of the others' doings.
  package struct WatchedPaths: Hashable, Sendable {
    /// Its times are set when a transaction has become visible (IN_ATTRIB): ask `changes(since:)`.
    ///
    /// It is modified before (IN_MODIFY); a writer that is killed in between says no more, so ask some
    /// time after that too, behind `awaitWriter()`.
    package var writeAheadFile: String
    /// A file in it is closed after writing (IN_CLOSE_WRITE) just before the lock of a dead owner
    /// is dropped: ask `departures()`, and once more after 20 ms.
    package var owners: String
  }

  /// What to watch; both exist while the store is open.
  package var watchedPaths: WatchedPaths {
    WatchedPaths(writeAheadFile: folder.writeAheadFile, owners: folder.owners)
  }

  package func join(
    host: String, processID: Int32, at now: WallInstant
  ) throws(StoreFailure) -> Owner {
    // The lock comes first: an owner that others can see is never without one.
    let name = Self.randomName()
    let lock = try OwnerLock(name: name, in: folder)
    do throws(StoreFailure) {
      let owner = try write { () throws(SQLiteError) in
        try OwnerTable(connection: connection)
          .add(name: name, host: host, processID: processID, at: now)
      }
      locks[owner.fence] = lock
      return owner
    } catch {
      OwnerLock.remove(name: name, in: folder)
      throw error
    }
  }

  package func livenessDescriptor(of owner: Owner) -> Int32? { locks[owner.fence]?.descriptor }

  package func leave(_ owner: Owner) throws(StoreFailure) {
    let hasLeft = try write { () throws(SQLiteError) in
      let owners = OwnerTable(connection: connection)
      guard try !owners.hasRuns(owner) else { return false }
      return try owners.remove(owner)
    }
    if hasLeft { OwnerLock.remove(name: owner.name, in: folder) }
    locks[owner.fence] = nil
  }

  package func retire(_ owner: Owner) throws(StoreFailure) {
    try write(isSynchronous: false) { () throws(SQLiteError) in
      try OwnerTable(connection: connection).retire(owner)
    }
  }

  package func departures() throws(StoreFailure) -> [Owner] {
    var departed: [Owner] = []
    for (owner, _) in try read({ () throws(SQLiteError) in
      try OwnerTable(connection: connection).all()
    }) where try !isAlive(owner) {
      departed.append(owner)
    }
    return departed
  }

  package func adopt(_ dead: Owner, by adopter: Owner) throws(StoreFailure) -> [RunRecord]? {
    guard try !isAlive(dead) else { return nil }
    let runs: [RunRecord]? = try write { () throws(SQLiteError) in
      let owners = OwnerTable(connection: connection)
      guard try owners.contains(adopter), try owners.remove(dead) else { return nil }
      return try owners.moveRuns(of: dead, to: adopter)
    }
    if runs != nil { OwnerLock.remove(name: dead.name, in: folder) }
    return runs
  }

  package func commit(
    _ transitions: [Transition], at now: WallInstant, headLimit: Int
  ) -> CommitReport {
    do throws(StoreFailure) {
      guard !transitions.isEmpty else {
        lastRevision = try read { () throws(SQLiteError) in
          try StoreReader(connection: connection).revision()
        }
        return CommitReport(revision: lastRevision, verdicts: [], snapshots: [])
      }
      let report = try write(isSynchronous: transitions.contains(where: \.survivesPowerCut)) {
        () throws(SQLiteError) in
        try apply(transitions, at: now, headLimit: headLimit)
      }
      lastRevision = report.revision
      return report
    } catch {
      return CommitReport(
        revision: lastRevision, verdicts: transitions.map { _ in .failed(error) }, snapshots: [])
    }
  }

  package func snapshots(
    of identifiers: [JobIdentifier]?, headLimit: Int
  ) throws(StoreFailure) -> [JobSnapshot] {
    try read { () throws(SQLiteError) in
      try StoreReader(connection: connection).snapshots(of: identifiers, headLimit: headLimit)
    }
  }

  package func changes(
    since revision: Revision
  ) throws(StoreFailure) -> (Revision, [JobIdentifier]) {
    try read { () throws(SQLiteError) in
      let reader = StoreReader(connection: connection)
      return (try reader.revision(), try reader.changes(since: revision))
    }
  }

  package func awaitWriter() throws(StoreFailure) {
    // The writer's lock is what ends with its transaction.
    try write(isSynchronous: false) { () throws(SQLiteError) in }
  }

  package func lastRecordedTime() throws(StoreFailure) -> WallInstant? {
    try read { () throws(SQLiteError) in try StoreReader(connection: connection).recordedTime() }
  }

  package func seed() throws(StoreFailure) -> UInt64 {
    try read { () throws(SQLiteError) in try StoreReader(connection: connection).seed() }
  }

  package func publish(_ device: DeviceState, of owner: Owner) throws(StoreFailure) {
    try write(isSynchronous: false) { () throws(SQLiteError) in
      guard try OwnerTable(connection: connection).contains(owner) else { return }
      try PublishedReadings(connection: connection).replace(with: device, of: owner.fence)
    }
  }

  package func owners() throws(StoreFailure) -> [OwnerReport] {
    let published = try read { () throws(SQLiteError) in
      var published: [(Owner, isRetired: Bool, DeviceState?)] = []
      for (owner, isRetired) in try OwnerTable(connection: connection).all() {
        let device = try PublishedReadings(connection: connection).device(of: owner.fence)
        published.append((owner, isRetired, device))
      }
      return published
    }
    var reports: [OwnerReport] = []
    for (owner, isRetired, device) in published {
      reports.append(
        OwnerReport(
          owner: owner, isAlive: try isAlive(owner), isRetired: isRetired, device: device))
    }
    return reports
  }

  package func saveJobSet(_ jobSet: StoredJobSet) throws(StoreFailure) {
    try write { () throws(SQLiteError) in
      try StoredJobSets(connection: connection).replace(with: jobSet)
    }
  }

  package func loadJobSet() throws(StoreFailure) -> StoredJobSet? {
    try read { () throws(SQLiteError) in try StoredJobSets(connection: connection).load() }
  }

  package func jobSetDigest() throws(StoreFailure) -> String? {
    try read { () throws(SQLiteError) in try StoredJobSets(connection: connection).digest() }
  }

  package func history(
    of identifier: JobIdentifier?, limit: Int?
  ) throws(StoreFailure) -> [HistoryRow] {
    try read { () throws(SQLiteError) in
      try StoreReader(connection: connection).history(of: identifier, limit: limit)
    }
  }

  package func endedRun(_ run: RunNumber) throws(StoreFailure) -> HistoryRow? {
    try read { () throws(SQLiteError) in try StoreReader(connection: connection).endedRun(run) }
  }

  package func pending(
    of identifier: JobIdentifier?, limit: Int
  ) throws(StoreFailure) -> [RequestRecord] {
    try read { () throws(SQLiteError) in
      try StoreReader(connection: connection).pending(of: identifier, limit: limit)
    }
  }

  package func releaseUnusedMemory() { connection.releaseUnusedMemory() }
}
