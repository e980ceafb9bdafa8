import Glibc
import LinuxSystem
import Testing

@testable import Runner

@Suite("What others do to the store is noticed")
final class StoreWatchTests {
  private let folder: String
  private let loop: EventLoop
  private var signs: [StoreWatch.Sign] = []

  private var writeAheadFile: String { "\(folder)/store.db-wal" }

  init() throws {
    var template = Array("/tmp/bgrun-watch-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    loop = try EventLoop()
    mkdir("\(folder)/owners", 0o700)
    try Files.write([], to: writeAheadFile)
  }

  deinit {
    unlink(writeAheadFile)
    rmdir("\(folder)/owners")
    rmdir(folder)
  }

  private func watch() throws -> StoreWatch {
    try StoreWatch(
      directory: folder, loop: loop, changed: { [unowned self] in signs.append($0) },
      ownerGone: {})
  }

  private func write() throws { try Files.write(Array("frame".utf8), to: writeAheadFile) }

  private func tell() { utimensat(AT_FDCWD, writeAheadFile, nil, 0) }

  private func wait(for count: Int) throws {
    let end = Clocks.now().monotonic + 10_000_000_000
    while signs.count < count, Clocks.now().monotonic < end {
      try loop.runOnce(waitingAtMost: .milliseconds(500))
    }
  }

  @Test func `a transaction that its writer tells of can be read at once`() throws {
    let watch = try watch()
    tell()
    try wait(for: 1)
    #expect(signs == [.visible])
    withExtendedLifetime(watch) {}
  }

  @Test func `DU1: one whose writer was killed before it told is looked for by itself, once`()
    throws
  {
    let watch = try watch()
    for _ in 1...3 { try write() }
    try wait(for: 1)
    #expect(signs == [.silent])
    #expect(try loop.runOnce(waitingAtMost: .zero) == false)
    withExtendedLifetime(watch) {}
  }

  @Test func `what happens during a commit of its own is told with its end`() throws {
    let watch = try watch()
    watch.ownCommitBegins()
    watch.ownCommitBegins()
    try write()
    tell()
    watch.ownCommitEnded()
    #expect(try loop.runOnce(waitingAtMost: .zero) == false)
    watch.ownCommitEnded()
    try wait(for: 2)
    #expect(signs == [.visible, .silent])
  }
}
