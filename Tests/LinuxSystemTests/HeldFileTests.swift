import Glibc
import LinuxSystem
import Testing

@Suite("Files that are held")
struct HeldFileTests {
  @Test func `a held file appears locked, under its name, and is gone with its holder`() throws {
    let folder = TemporaryFolder()
    var file: HeldFile? = try HeldFile(named: "7.answers", in: folder.path)
    #expect(try HeldFile.held(in: folder.path) == ["7.answers"])
    #expect(file != nil)
    file = nil
    #expect(try Files.list(folder.path) == [])
  }

  @Test func `what nobody holds is removed, drafts too`() throws {
    let folder = TemporaryFolder()
    try Files.write([], to: folder.path + "/7.answers")
    try Files.write([], to: folder.path + "/.8.answers")
    #expect(try HeldFile.held(in: folder.path) == [])
    #expect(try Files.list(folder.path) == [])
  }

  @Test func `watchers of the folder are told of its coming, not of a look at it, and of its end`()
    throws
  {
    let folder = TemporaryFolder()
    let loop = try EventLoop()
    var seen: [FileWatch.Changes] = []
    let watch = try FileWatch(on: loop) { seen.append($0.changes) }
    try watch.add(folder.path, for: [.movedIn, .closedAfterWriting, .deleted])
    var file: HeldFile? = try HeldFile(named: "7.answers", in: folder.path)
    try loop.runOnce(waitingAtMost: .seconds(10))
    #expect(seen == [.movedIn])
    #expect(try HeldFile.held(in: folder.path).count == 1)
    #expect(try !loop.runOnce(waitingAtMost: .zero))
    withExtendedLifetime(file) {}
    file = nil
    try loop.runOnce(waitingAtMost: .seconds(10))
    #expect(seen == [.movedIn, .deleted] || seen == [.movedIn, .deleted, .closedAfterWriting])
  }
}
