import Glibc
import JobModel
import Testing

@testable import SQLiteStore

@Suite("SQLite: processes that are killed") struct CrashTests {
  @Test func `only progress, and claims that may be repeated, don't wait for the disk`() throws {
    let store = try SQLiteStore(path: TemporaryFolder().path)
    let owner = try store.join(host: "here", processID: 1, at: .noon)
    func isSynchronous(after transition: Transition) throws -> Bool {
      guard case .applied = try store.propose(transition) else {
        throw Unexpected("\(transition) wasn't applied")
      }
      return try store.connection.statement("PRAGMA synchronous").first { $0.integer(0) } == 2
    }
    #expect(try isSynchronous(after: .submit(.of(key: "a"))))
    #expect(try isSynchronous(after: .submit(.of(key: "b"))))
    var claim = Claim(
      request: RequestID(1), identifier: .thumbnails, owner: owner.fence, startedAt: .noon)
    #expect(try isSynchronous(after: .claim(claim)))
    claim.request = RequestID(2)
    claim.survivesPowerCut = false
    #expect(try !isSynchronous(after: .claim(claim)))
    let progress = ProgressRecording(
      run: RunNumber(2), owner: owner.fence, fraction: 0.5, title: nil, subtitle: nil)
    #expect(try !isSynchronous(after: .progress(progress)))
    #expect(try isSynchronous(after: .end(.of(RunNumber(2), by: owner))))
  }

  @Test(arguments: [3, 17, 40])
  func `DU1: SIGKILL in the middle of commits loses nothing acknowledged`(_ count: Int) async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path
    _ = try SQLiteStore(path: path)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, count = count as Int] in
      try CommitLoop(path: path).runUntilKilled(afterAcknowledging: count)
    }
    let acknowledged = CommitLoop.acknowledged(in: path)
    #expect(acknowledged.count >= count)
    let store = try SQLiteStore(path: path)
    for run in acknowledged {
      #expect(try store.endedRun(RunNumber(run))?.outcome == .succeeded)
    }
    let check = try store.connection.statement("PRAGMA integrity_check").first { $0.text(0) }
    #expect(check == "ok")
    let dead = try #require(try store.departures().first)
    let heir = try store.join(host: "here", processID: 1, at: .noon)
    let adopted = try #require(try store.adopt(dead, by: heir))
    let snapshot = try store.snapshot()
    #expect(snapshot.live == adopted)
    #expect(adopted.allSatisfy { !acknowledged.contains($0.run.value) })
  }
}

/// What a process that is to be killed does: submits, claims, ends, and notes each end that the
/// store has acknowledged.
private struct CommitLoop {
  let path: String

  func runUntilKilled(afterAcknowledging count: Int) throws {
    let store = try SQLiteStore(path: path)
    let owner = try store.join(host: "here", processID: getpid(), at: .noon)
    let notes = open("\(path)/acknowledged", O_CREAT | O_WRONLY | O_APPEND, 0o600)
    guard notes >= 0 else { return }
    var acknowledged = 0
    while acknowledged < 10_000 {
      let run = try store.claim(try store.submit(.of(key: "\(acknowledged % 7)")), by: owner)
      if acknowledged == count { Self.killFromAnotherThread() }
      guard try store.propose(.end(.of(run, by: owner))) == .applied(.done) else { return }
      var number = run.value
      write(notes, &number, MemoryLayout.size(ofValue: number))
      acknowledged += 1
    }
  }

  static func acknowledged(in path: String) -> [Int64] {
    let notes = open("\(path)/acknowledged", O_RDONLY)
    defer { close(notes) }
    var numbers: [Int64] = []
    var number: Int64 = 0
    while read(notes, &number, MemoryLayout.size(ofValue: number)) == 8 { numbers.append(number) }
    return numbers
  }

  /// The signal comes at any point of the commits that go on meanwhile.
  private static func killFromAnotherThread() {
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { _ in
        kill(getpid(), SIGKILL)
        return nil
      }, nil)
  }
}
