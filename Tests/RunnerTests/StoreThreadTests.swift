import JobModel
import LinuxSystem
import StoreConformance
import Synchronization
import Testing

@testable import Runner

@Suite("The store's own thread")
struct StoreThreadTests {
  private let instant = WallInstant(seconds: 1_800_000_000)

  private func submission(_ key: String) -> Transition {
    var submission = Submission(
      identifier: JobIdentifier("com.example.job"), kind: .processing, submittedAt: instant)
    submission.key = key
    return .submit(submission)
  }

  @Test func `commits that wait together are one transaction, with their own verdicts`() throws {
    let world = MemoryWorld()
    let thread = try StoreThread(headLimit: 4) { MemoryStore(world) }
    let reports = Mutex<[CommitReport]>([])
    let answered = Bell()
    let isOccupied = Bell()
    let mayGoOn = Bell()
    // While the thread is busy, three commits queue up.
    thread.perform { _ in
      isOccupied.ring()
      mayGoOn.wait()
    }
    isOccupied.wait()
    for keys in [["a", "b"], ["c"], ["a"]] {
      thread.commit(keys.map(submission), at: instant) { report in
        reports.withLock { $0.append(report) }
        answered.ring()
      }
    }
    mayGoOn.ring()
    for _ in 1...3 { answered.wait() }
    thread.stop()

    let found = reports.withLock { $0 }
    #expect(found.map(\.verdicts.count) == [2, 1, 1])
    #expect(Set(found.map(\.revision)).count == 1, "one transaction")
    #expect(found.map(\.snapshots.isEmpty) == [false, true, true])
    guard case .applied(.submitted(_, replaced: .some)) = found[2].verdicts[0] else {
      Issue.record("the later submission replaces the earlier one, in order")
      return
    }
  }

  @Test func `a store that can't be opened is the start's failure`() {
    let failure = StoreFailure(cause: .readOnly, sentence: "the folder can't be written.")
    #expect(throws: failure) {
      _ = try StoreThread(headLimit: 1) { () throws(StoreFailure) in throw failure }
    }
  }

  @Test func `a failure of the store comes back as thrown`() throws {
    let world = MemoryWorld()
    let thread = try StoreThread(headLimit: 1) { MemoryStore(world) }
    defer { thread.stop() }
    let failure = StoreFailure(cause: .diskFull, sentence: "the disk is full.")
    world.fail(with: failure)
    #expect(throws: failure) {
      _ = try thread.wait { store throws(StoreFailure) in try store.seed() }
    }
  }
}
