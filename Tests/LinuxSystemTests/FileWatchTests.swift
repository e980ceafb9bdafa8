import Glibc
import LinuxSystem
import Testing

@Suite("Watching files")
struct FileWatchTests {
  let loop: EventLoop
  let folder = TemporaryFolder()

  init() throws {
    loop = try EventLoop()
  }

  @Test func `a paused watch tells afterwards, and what is alike once`() throws {
    try Files.write([], to: "\(folder.path)/file")
    var changes = 0
    let watch = try FileWatch(on: loop, isPausable: true) { _ in changes += 1 }
    try watch.add("\(folder.path)/file", for: .modified)
    watch.pause()
    for _ in 1...3 {
      let file = open("\(folder.path)/file", O_WRONLY | O_APPEND)
      try Descriptors.write(all: [1], to: file)
      close(file)
    }
    #expect(try loop.runOnce(waitingAtMost: .zero) == false)
    watch.resume()
    try loop.run(until: { changes == 1 })
    #expect(try loop.runOnce(waitingAtMost: .zero) == false)
  }

  @Test func `reports files that are written in a folder and moved into it`() throws {
    var events: [FileWatch.Event] = []
    let watch = try FileWatch(on: loop) { events.append($0) }
    try watch.add(folder.path, for: .folderContent)
    try Files.write([1], to: folder.path + "/new")
    rename(folder.path + "/new", folder.path + "/state")
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

  @Test func `watches of one file hear each what it wants, until it is removed or released`() throws
  {
    let path = folder.path + "/file"
    try Files.write([], to: path)
    var heard: [String] = []
    let reader = try FileWatch(on: loop) { heard.append("reader \($0.changes == .modified)") }
    try reader.add(path, for: .modified)
    let keeper = try FileWatch(on: loop) { heard.append("keeper \($0.changes == .attributes)") }
    try keeper.add(path, for: .attributes)
    var guest: FileWatch? = try FileWatch(on: loop) { _ in heard.append("guest") }
    try guest?.add(path, for: [.attributes, .modified])
    guest = nil

    chmod(path, 0o600)
    try Files.write([1], to: path)
    try loop.run(until: { heard.count == 2 })
    #expect(heard == ["keeper true", "reader true"])

    keeper.remove(path)
    chmod(path, 0o644)
    try Files.write([2], to: path)
    try loop.run(until: { heard.count == 3 })
    #expect(heard.last == "reader true")
  }

  @Test func `a watch may release another one while it is told`() throws {
    var watches: [FileWatch] = []
    var told = 0
    for _ in 1...2 {
      let watch = try FileWatch(on: loop) { _ in
        told += 1
        watches = []
      }
      try watch.add(folder.path, for: .created)
      watches.append(watch)
    }
    try Files.write([], to: folder.path + "/file")
    try loop.run(until: { told > 0 })
    while try loop.runOnce(waitingAtMost: .zero) {}
    #expect(told == 1)
  }
}
