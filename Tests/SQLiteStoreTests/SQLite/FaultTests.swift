import Glibc
import JobModel
import Testing

@testable import SQLiteStore

@Suite("SQLite: faults") struct FaultTests {
  /// The failure of opening the store in a folder.
  private func failure(opening path: String) throws -> StoreFailure {
    try #require(throws: StoreFailure.self) { _ = try SQLiteStore(path: path) }
  }

  /// A folder whose store has one request, closed again.
  private func usedFolder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    _ = try SQLiteStore(path: folder.path).submit(.of())
    return folder
  }

  private func overwrite(_ path: String, at offset: Int, with bytes: [UInt8]) throws {
    let descriptor = open(path, O_WRONLY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    try #require(pwrite(descriptor, bytes, bytes.count, offset) == bytes.count)
  }

  @Test func `DU4: a file that is no database is named as damaged`() throws {
    let folder = try usedFolder()
    try overwrite("\(folder.path)/store.db", at: 0, with: Array("garbage, not a header".utf8))
    let failure = try failure(opening: folder.path)
    #expect(failure.cause == .damaged)
    #expect(
      failure.sentence == """
        cannot open the store \(folder.path)/store.db: it is damaged (file is not a database); \
        move it and \(folder.path)/store.db-wal away to begin anew
        """)
  }

  @Test(arguments: [0, 100, 4096, 9000])
  func `DU4: a file that is cut off is named as damaged, never emptied`(_ length: Int) throws {
    let folder = try usedFolder()
    try #require(truncate("\(folder.path)/store.db", length) == 0)
    let failure = try failureOfUse(in: folder)
    #expect(failure.cause == .damaged)
    #expect(failure.sentence.contains("\(folder.path)/store.db"))
    var status = stat()
    #expect(stat("\(folder.path)/store.db", &status) == 0 && status.st_size == length)
  }

  @Test func `DU4: damage inside the file fails what reads it and doesn't trap`() throws {
    let folder = try usedFolder()
    var status = stat()
    try #require(stat("\(folder.path)/store.db", &status) == 0)
    for page in 1..<(Int(status.st_size) / 4096) {
      try overwrite(
        "\(folder.path)/store.db", at: page * 4096, with: Array(repeating: 0xA5, count: 4096))
    }
    let failure = try failureOfUse(in: folder)
    #expect(failure.cause == .damaged)
  }

  /// The failure of opening a store or, where only its header is read then, of the first call.
  private func failureOfUse(in folder: TemporaryFolder) throws -> StoreFailure {
    try #require(throws: StoreFailure.self) {
      let store = try SQLiteStore(path: folder.path)
      let verdict = try store.propose(.submit(.of()))
      guard case .failed(let failure) = verdict else { throw Unexpected("\(verdict)") }
      throw failure
    }
  }

  @Test func `DU4: another program's database is left alone`() throws {
    let folder = try TemporaryFolder()
    let other = try SQLiteConnection(
      path: "\(folder.path)/store.db", mode: .create, patience: .zero)
    try other.execute("CREATE TABLE notes (text)")
    let failure = try failure(opening: folder.path)
    #expect(failure.cause == .damaged)
    #expect(failure.sentence.contains("it is another program's database"))
    #expect(try other.statement("SELECT count(*) FROM notes").first { $0.integer(0) } == 0)
  }

  @Test func `a store of a newer program is refused`() throws {
    let folder = try usedFolder()
    let connection = try SQLiteConnection(
      path: "\(folder.path)/store.db", mode: .readWrite, patience: .zero)
    try connection.execute("PRAGMA user_version = 99")
    let failure = try failure(opening: folder.path)
    #expect(failure.cause == .tooNew)
    #expect(failure.sentence.contains("use that bgrun or a newer one"))
  }

  @Test func `DU4: a folder that can't be written is named`() throws {
    let failure = try failure(opening: "/sys/bgrun-store")
    #expect(failure.cause == .readOnly)
    #expect(failure.sentence.contains("/sys/bgrun-store"))
    #expect(failure.sentence.contains("name a state directory that this user can write to"))
  }

  @Test func `DU4: a folder below a file is named`() throws {
    let folder = try usedFolder()
    let failure = try failure(opening: "\(folder.path)/store.db/state")
    #expect(failure.cause == .unreachable)
    #expect(failure.sentence.contains("\(folder.path)/store.db/state"))
  }

  @Test func `DU3, PL14: a writer that doesn't go on is busy within the patience, in our words`()
    throws
  {
    let folder = try usedFolder()
    let store = try SQLiteStore(path: folder.path, patience: .milliseconds(20))
    let stopped = try SQLiteConnection(
      path: "\(folder.path)/store.db", mode: .readWrite, patience: .zero)
    try stopped.execute("BEGIN IMMEDIATE")
    guard case .failed(let failure) = try store.propose(.submit(.of())) else {
      throw Unexpected("the store was held")
    }
    #expect(failure.cause == .busy)
    #expect(!failure.sentence.contains("locked"))
    #expect(failure.sentence.contains("another program has held it"))
    #expect(try store.snapshot().pendingCount == 1, "reading goes on")
    try stopped.execute("ROLLBACK")
    _ = try store.submit(.of())
  }

  @Test func `DU4: a full store keeps what is acknowledged, and goes on when it has room`() throws {
    let folder = try usedFolder()
    let store = try SQLiteStore(path: folder.path)
    try store.connection.execute("PRAGMA max_page_count = 1")
    var large = Submission.of(key: "large")
    large.parameters = String(repeating: "x", count: 1 << 20)
    guard case .failed(let failure) = try store.propose(.submit(large)) else {
      throw Unexpected("there was room")
    }
    #expect(failure.cause == .diskFull)
    #expect(
      failure.sentence == """
        cannot write to the store \(folder.path)/store.db: its disk is full; \
        free some space there
        """)
    #expect(try store.snapshot().pendingCount == 1)
    try store.connection.execute("PRAGMA max_page_count = 1000000")
    _ = try store.submit(large)
    #expect(try store.snapshot().pendingCount == 2)
  }

  @Test func `DU4: a store that was moved away is not written in secret`() throws {
    let folder = try usedFolder()
    let store = try SQLiteStore(path: folder.path)
    try #require(rename("\(folder.path)/store.db", "\(folder.path)/away.db") == 0)
    guard case .failed(let failure) = try store.propose(.submit(.of())) else {
      throw Unexpected("it was moved")
    }
    #expect(failure.cause == .unreachable)
    #expect(failure.sentence.contains("moved or removed while it was in use"))
  }
}
