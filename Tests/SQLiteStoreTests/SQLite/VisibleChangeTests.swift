import Glibc
import JobModel
import Testing

@testable import SQLiteStore

@Suite("SQLite: how others learn of a transaction, and wait for one") struct VisibleChangeTests {
  @Test func `a change is told by the times of the write-ahead file, a look and a refusal aren't`()
    throws
  {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.path)
    let request = try store.submit(.of())
    let watch = inotify_init1(Int32(IN_NONBLOCK))
    defer { close(watch) }
    let watched = inotify_add_watch(
      watch, store.watchedPaths.writeAheadFile, UInt32(IN_ATTRIB))
    try #require(watched >= 0)
    var buffer = [UInt8](repeating: 0, count: 4096)

    _ = try store.changes(since: Revision(0))
    try store.awaitWriter()
    let refused = store.commit([.decide(RequestID(request.value + 1))], at: .noon, headLimit: 1)
    #expect(refused.verdicts == [.refused(.notPending)])
    #expect(read(watch, &buffer, buffer.count) == -1 && errno == EAGAIN)

    _ = try store.submit(.of())
    #expect(read(watch, &buffer, buffer.count) > 0)
  }

  @Test func `PL14: the pauses for a lock grow, and end with the patience`() {
    #expect(LockWait.pause(after: 0) == 50)
    #expect(LockWait.waited(before: 0) == 0)
    var whole = 0
    for earlier in 0..<500 {
      #expect(LockWait.waited(before: earlier) == whole)
      #expect(LockWait.pause(after: earlier + 1) >= LockWait.pause(after: earlier))
      whole += Int(LockWait.pause(after: earlier))
    }
    #expect(LockWait.pause(after: 500) == 25_000)
  }

  @Test func `PL14: a lock that stays held is given up after the patience`() throws {
    let folder = try TemporaryFolder()
    _ = try SQLiteStore(path: folder.path)
    let holder = try SQLiteConnection(
      path: "\(folder.path)/store.db", mode: .readWrite, patience: .zero)
    try holder.execute("BEGIN IMMEDIATE")
    let store = try SQLiteStore(path: folder.path, patience: .milliseconds(5))
    #expect { try store.awaitWriter() } throws: { error in
      (error as? StoreFailure)?.cause == .busy
    }
    try holder.execute("ROLLBACK")
    try store.awaitWriter()
  }
}
