import Glibc
import LinuxSystem
import Testing

@Suite("Watching files and locks")
struct FileWatchTests {
  let loop: EventLoop
  let folder = TemporaryFolder()

  init() throws {
    loop = try EventLoop()
  }

  @Test func `reports files that are written in a folder and moved into it`() throws {
    var events: [FileWatch.Event] = []
    let watch = try FileWatch(on: loop) { events.append($0) }
    try watch.add(folder.path, for: .folderContent)
    try Files.writeAtomically([1], to: folder.path + "/state")
    try loop.run(until: { events.contains { $0.changes.contains(.movedIn) } })
    #expect(
      events.contains {
        $0.name == "state" && $0.path == folder.path && $0.changes == .movedIn
      })
  }

  @Test func `reports changes of one file and that it is gone`() throws {
    let path = folder.path + "/file"
    try Files.write([], to: path)
    var events: [FileWatch.Event] = []
    let watch = try FileWatch(on: loop) { events.append($0) }
    try watch.add(path, for: [.modified, .selfGone])
    try Files.write([1], to: path)
    unlink(path)
    try loop.run(until: { events.contains { $0.changes.contains(.selfGone) } })
    #expect(events.contains { $0.changes.contains(.modified) && $0.name.isEmpty })
  }

  @Test func `after removal nothing is reported`() throws {
    var events: [FileWatch.Event] = []
    let watch = try FileWatch(on: loop) { events.append($0) }
    try watch.add(folder.path, for: .folderContent)
    watch.remove(folder.path)
    try Files.write([], to: folder.path + "/file")
    while try loop.runOnce(waitingAtMost: .zero) {}
    #expect(events.isEmpty)
  }

  @Test func `a lock is held once, and seen from other openers`() throws {
    let path = folder.path + "/lock"
    #expect(try LockFile.isHeld(path) == false)
    var lock = try LockFile.tryLock(path)
    #expect(lock != nil)
    #expect(try LockFile.isHeld(path))
    #expect(try LockFile.tryLock(path) == nil)
    lock = nil
    #expect(try LockFile.isHeld(path) == false)
  }

  @Test func `DU2: a lock's release is reported without polling`() throws {
    let path = folder.path + "/lock"
    var lock = try LockFile.tryLock(path)
    var isReleased = false
    let watch = try LockWatch(path, on: loop) { isReleased = true }
    #expect(try loop.runOnce(waitingAtMost: .zero) == false)
    lock = nil
    try loop.run(until: { isReleased })
    #expect(try LockFile.isHeld(path) == false)
    withExtendedLifetime((watch, lock)) {}
  }

  @Test func `DU2: a lock that nobody holds any more is reported too`() throws {
    let path = folder.path + "/lock"
    _ = try LockFile.tryLock(path)
    var isReleased = false
    let watch = try LockWatch(path, on: loop) { isReleased = true }
    try loop.run(until: { isReleased })
    withExtendedLifetime(watch) {}
  }
}
