import Glibc
import JobModel
import Testing

@testable import SQLiteStore

@Suite("SQLite: the lock of an owner") struct OwnerLockTests {
  @Test func `DU2: an owner whose lock a leftover process holds hasn't departed`() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.path)
    var runner: SQLiteStore? = try SQLiteStore(path: folder.path)
    let owner = try #require(try runner?.join(host: "here", processID: 1, at: .noon))
    // A supervisor that was forked shares the open file, as a duplicate does.
    let lock = try #require(Self.descriptor(of: "\(folder.path)/owners/\(owner.name).lock"))
    let supervisor = dup(lock)
    runner = nil
    #expect(try store.departures() == [])
    flock(supervisor, LOCK_UN)
    close(supervisor)
    #expect(try store.departures() == [owner])
  }

  @Test func `DU2: the end of an owner is an event of the watched folder, a probe isn't`() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.path)
    var runner: SQLiteStore? = try SQLiteStore(path: folder.path)
    let owner = try #require(try runner?.join(host: "here", processID: 1, at: .noon))
    let watch = inotify_init1(Int32(IN_NONBLOCK))
    defer { close(watch) }
    let watched = inotify_add_watch(watch, store.watchedPaths.owners, UInt32(IN_CLOSE_WRITE))
    try #require(watched >= 0)
    var buffer = [UInt8](repeating: 0, count: 4096)
    #expect(try store.departures() == [])
    #expect(read(watch, &buffer, buffer.count) == -1 && errno == EAGAIN)
    runner?.dropLock(of: owner)
    runner = nil
    // A program that another test starts may keep the file open for a moment.
    var closed = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
    #expect(poll(&closed, 1, 10_000) == 1)
    #expect(try store.departures() == [owner])
  }

  @Test func `DU2: an owner that leaves or is adopted takes its lock file along`() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.path)
    var runner: SQLiteStore? = try SQLiteStore(path: folder.path)
    let dead = try #require(try runner?.join(host: "here", processID: 1, at: .noon))
    let heir = try store.join(host: "here", processID: 2, at: .noon)
    runner?.dropLock(of: dead)
    runner = nil
    #expect(try store.adopt(dead, by: heir) == [])
    #expect(TemporaryFolder.names(in: "\(folder.path)/owners") == ["\(heir.name).lock"])
    try store.leave(heir)
    #expect(TemporaryFolder.names(in: "\(folder.path)/owners") == [])
  }

  /// This process's descriptor of an open file.
  private static func descriptor(of path: String) -> Int32? {
    TemporaryFolder.names(in: "/proc/self/fd").compactMap { Int32($0) }.first { descriptor in
      guard let target = realpath("/proc/self/fd/\(descriptor)", nil) else { return false }
      defer { free(target) }
      return String(cString: target) == path
    }
  }
}
