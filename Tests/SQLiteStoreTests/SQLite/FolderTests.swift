import Glibc
import JobModel
import Testing

@testable import SQLiteStore

@Suite("SQLite: the state directory") struct FolderTests {
  private func mode(of path: String) throws -> UInt32 {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return status.st_mode & 0o777
  }

  @Test func `a new store is its user's alone`() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/deep/state"
    let store = try SQLiteStore(path: path)
    _ = try store.submit(.of())
    for directory in ["\(folder.path)/deep", path, "\(path)/owners"] {
      #expect(try mode(of: directory) == 0o700)
    }
    for name in ["store.db", "store.db-wal", "store.db-shm"] {
      #expect(try mode(of: "\(path)/\(name)") == 0o600)
    }
    #expect(TemporaryFolder.names(in: path).count == 4, "nothing of the making is left")
  }

  @Test func `asking a store that isn't there makes nothing`() throws {
    let folder = try TemporaryFolder()
    #expect(try SQLiteStore.open(existing: folder.path) == nil)
    #expect(try SQLiteStore.open(existing: "\(folder.path)/none") == nil)
    #expect(TemporaryFolder.names(in: folder.path) == [])
  }

  @Test func `a store is opened again with all that it holds`() throws {
    let folder = try TemporaryFolder()
    let request = try SQLiteStore(path: folder.path).submit(.of())
    let store = try #require(try SQLiteStore.open(existing: folder.path))
    #expect(try store.pending(of: nil, limit: 9).map(\.id) == [request])
  }

  @Test func `DU3: many who open a new store at once share one`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    let seeds = try await withThrowingTaskGroup(of: UInt64.self) { group in
      for _ in 0..<6 {
        group.addTask { try SQLiteStore(path: path, patience: .longer).seed() }
      }
      return try await group.reduce(into: Set<UInt64>()) { $0.insert($1) }
    }
    #expect(seeds.count == 1)
  }

  @Test func `an interrupted creation is begun anew`() throws {
    let folder = try TemporaryFolder()
    let draft = open("\(folder.path)/store.db.new", O_CREAT | O_WRONLY, 0o600)
    try #require(draft >= 0 && write(draft, "half", 4) == 4)
    close(draft)
    _ = try SQLiteStore(path: folder.path).submit(.of())
    #expect(!TemporaryFolder.names(in: folder.path).contains("store.db.new"))
  }

  @Test func `the write-ahead file stays, empty, when the last one closes the store`() throws {
    let folder = try TemporaryFolder()
    let paths = try {
      let store = try SQLiteStore(path: folder.path)
      _ = try store.submit(.of())
      return store.watchedPaths
    }()
    var status = stat()
    #expect(stat(paths.writeAheadFile, &status) == 0 && status.st_size == 0)
  }

  @Test func `progress alone is written without waiting for the disk`() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.path)
    let owner = try store.join(host: "here", processID: 1, at: .noon)
    let run = try store.claim(try store.submit(.of()), by: owner)
    let progress = ProgressRecording(
      run: run, owner: owner.fence, fraction: 1, title: nil, subtitle: nil)
    func level() throws -> Int64? {
      try store.connection.statement("PRAGMA synchronous").first { $0.integer(0) }
    }
    #expect(try store.propose(.progress(progress)) == .applied(.done))
    #expect(try level() == 1)
    let stop = StopRequest(run: run, reason: .userCancelled)
    let report = store.commit([.progress(progress), .requestStop(stop)], at: .noon, headLimit: 1)
    #expect(report.verdicts == [.applied(.done), .applied(.done)])
    #expect(try level() == 2, "everything else is synchronous again")
    try store.publish(.assumed(at: .noon), of: owner)
    #expect(try level() == 1)
    try store.leave(owner)
    #expect(try level() == 2)
  }
}
