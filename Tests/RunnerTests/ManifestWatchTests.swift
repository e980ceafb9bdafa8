import Glibc
import LinuxSystem
import Testing

@testable import Runner

@Suite("A saved manifest is noticed once, other files never")
final class ManifestWatchTests {
  private let folder: String
  private let loop: EventLoop
  private var changes = 0

  init() throws {
    var template = Array("/tmp/bgrun-watch-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    loop = try EventLoop()
  }

  deinit {
    Self.remove(folder)
  }

  private static func remove(_ folder: String) {
    for name in (try? Files.list(folder)) ?? [] {
      let path = "\(folder)/\(name)"
      if Files.isFolder(path) { remove(path) } else { unlink(path) }
    }
    rmdir(folder)
  }

  private func save(_ name: String) throws {
    try Files.write(Array("version: 1\n".utf8), to: "\(folder)/\(name)")
  }

  /// Runs the loop until `changes` is `count`, at most for some seconds.
  private func wait(for count: Int) throws {
    let end = Clocks.now().monotonic + 10_000_000_000
    while changes < count, Clocks.now().monotonic < end {
      try loop.runOnce(waitingAtMost: .milliseconds(500))
    }
    #expect(changes == count)
  }

  @Test func `PL12: several writes of one save are one change`() throws {
    try save("jobs.yaml")
    let watch = try ManifestWatch(paths: ["\(folder)/jobs.yaml"], loop: loop) { [unowned self] in
      changes += 1
    }
    for _ in 1...3 { try save("jobs.yaml") }
    try wait(for: 1)
    withExtendedLifetime(watch) {}
  }

  @Test func `PL12: a save between the first reading and the watch is a change`() throws {
    try save("jobs.yaml")
    let watch = try ManifestWatch(
      paths: ["\(folder)/jobs.yaml"], loop: loop, isOutdated: { true }
    ) { [unowned self] in changes += 1 }
    try wait(for: 1)
    withExtendedLifetime(watch) {}
  }

  @Test func `a save by renaming is seen, a neighbour isn't`() throws {
    try save("jobs.yaml")
    let watch = try ManifestWatch(paths: ["\(folder)/jobs.yaml"], loop: loop) { [unowned self] in
      changes += 1
    }
    try save("notes.txt")
    try save("other.yaml")
    // Both are in the queue before the rename: if either counted, the change would come first.
    try #require(rename("\(folder)/other.yaml", "\(folder)/jobs.yaml") == 0)
    try wait(for: 1)
    withExtendedLifetime(watch) {}
  }

  @Test func `PL12: in the folders below it, too, those that come later included`() throws {
    try Files.makeFolders("\(folder)/team/.git")
    try save("team/jobs.yaml")
    let watch = try ManifestWatch(paths: [folder], loop: loop) { [unowned self] in changes += 1 }
    try save("team/notes.txt")
    try save("team/.git/x.yaml")
    try Files.makeFolders("\(folder)/empty")
    // Longer than the silence that makes a change.
    while try loop.runOnce(waitingAtMost: .milliseconds(400)) {}
    #expect(changes == 0)
    try save("team/jobs.yaml")
    try wait(for: 1)
    try Files.makeFolders("\(folder)/later/deep")
    try save("later/deep/new.yaml")
    try wait(for: 2)
    try save("later/deep/new.yaml")
    try wait(for: 3)
    try #require(rename("\(folder)/later", "\(folder)/team/.git/later") == 0)
    try wait(for: 4)
    withExtendedLifetime(watch) {}
  }

  @Test func `in a folder every manifest counts, and new ones`() throws {
    let watch = try ManifestWatch(paths: [folder], loop: loop) { [unowned self] in changes += 1 }
    try save("new.yml")
    try wait(for: 1)
    withExtendedLifetime(watch) {}
  }
}
