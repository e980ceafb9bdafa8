import Glibc
import JobModel
import Testing

@testable import SQLiteStore

/// A small file system of its own, which only root can make; unmounted at the end.
private final class SmallDisk {
  let folder: TemporaryFolder

  /// - Parameter options: of tmpfs, "size=1m".
  init?(options: String) {
    guard let folder = try? TemporaryFolder(),
      mount("tmpfs", folder.path, "tmpfs", 0, options) == 0
    else { return nil }
    self.folder = folder
  }

  func remount(isReadOnly: Bool) -> Bool {
    let readOnly = isReadOnly ? UInt(MS_RDONLY) : 0
    return mount("tmpfs", folder.path, "tmpfs", UInt(MS_REMOUNT) | readOnly, "") == 0
  }

  private var ballast: String { "\(folder.path)/ballast" }

  /// Takes so many bytes; nil is all there are.
  func fill(_ bytes: Int?) throws {
    let descriptor = open(ballast, O_CREAT | O_WRONLY, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    if let bytes {
      try #require(posix_fallocate(descriptor, 0, bytes) == 0)
    } else {
      let block = [UInt8](repeating: 1, count: 4096)
      while write(descriptor, block, block.count) == block.count {}
    }
  }

  func makeRoom() throws {
    try #require(unlink(ballast) == 0)
  }

  deinit { umount2(folder.path, Int32(MNT_DETACH)) }

  /// Whether this process may mount at all.
  static let isPossible = SmallDisk(options: "size=64k") != nil
}

@Suite("SQLite: a disk of its own", .enabled(if: SmallDisk.isPossible)) struct MountedDiskTests {
  @Test func `DU4: a disk that fills up loses nothing acknowledged and works when it has room`()
    throws
  {
    let disk = try #require(SmallDisk(options: "size=1m"))
    try disk.fill(256 << 10)
    let store = try SQLiteStore(path: disk.folder.path)
    var acknowledged: [RequestID] = []
    var failure: StoreFailure?
    for number in 0..<2000 where failure == nil {
      var submission = Submission.of(key: "\(number)")
      submission.parameters = String(repeating: "x", count: 2000)
      switch try store.propose(.submit(submission)) {
      case .applied(.submitted(let id, _)): acknowledged.append(id)
      case .failed(let reason): failure = reason
      default: break
      }
    }
    #expect(failure?.cause == .diskFull)
    #expect(try store.pending(of: .thumbnails, limit: 9999).map(\.id) == acknowledged)
    try disk.makeRoom()
    acknowledged.append(try store.submit(.of(key: "later")))
    #expect(try store.pending(of: .thumbnails, limit: 9999).map(\.id) == acknowledged)
  }

  @Test func `DU4: a read-only disk is said to be one`() throws {
    let disk = try #require(SmallDisk(options: "size=4m"))
    let path = "\(disk.folder.path)/state"
    _ = try SQLiteStore(path: path).submit(.of())
    try #require(disk.remount(isReadOnly: true))
    let failure = try #require(throws: StoreFailure.self) {
      let verdict = try SQLiteStore(path: path).propose(.submit(.of(key: "b")))
      guard case .failed(let failure) = verdict else { throw Unexpected("\(verdict)") }
      throw failure
    }
    #expect(failure.cause == .readOnly)
    #expect(failure.sentence.contains("\(path)/store.db"))
    try #require(disk.remount(isReadOnly: false))
    #expect(try SQLiteStore(path: path).snapshot().pendingCount == 1)
  }

  @Test func `DU4: no store is begun on a full disk, and nothing half-made is in the way later`()
    throws
  {
    let disk = try #require(SmallDisk(options: "size=1m"))
    try disk.fill(nil)
    let failure = try #require(throws: StoreFailure.self) {
      _ = try SQLiteStore(path: disk.folder.path)
    }
    #expect(failure.cause == .diskFull)
    #expect(try SQLiteStore.open(existing: disk.folder.path) == nil)
    try disk.makeRoom()
    _ = try SQLiteStore(path: disk.folder.path).submit(.of())
  }

  @Test func `DU4: a store on a full disk can still be read`() throws {
    let disk = try #require(SmallDisk(options: "size=1m"))
    _ = try SQLiteStore(path: disk.folder.path).submit(.of())
    try disk.fill(nil)
    let store = try #require(try SQLiteStore.open(existing: disk.folder.path))
    #expect(try store.snapshot().pendingCount == 1)
  }
}
