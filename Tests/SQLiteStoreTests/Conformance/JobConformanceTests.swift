import JobModel
import Testing

@Suite("Every store: cancelling, closing, switching, pruning") struct JobConformanceTests {
  @Test(arguments: StoreKind.allCases)
  func `CP5: cancelling a key ends all that waits under it, and nothing else`(
    _ kind: StoreKind
  ) throws {
    let world = try kind.make()
    let store = try world.handle()
    let owner = try world.join()
    let retried = try store.submit(.of(key: "a"))
    let run = try store.claim(retried, by: owner)
    let again = RunEnd.Disposition.again(
      notBefore: .noon, floor: .retryDelay, attempt: 2, returnsInRow: 0)
    _ = try store.propose(.end(.of(run, by: owner, outcome: .failed, next: again)))
    _ = try store.submit(.of(key: "a"))
    let other = try store.submit(.of(key: "b"))
    let running = try store.claim(try store.submit(.of(key: "c")), by: owner)
    let cancellation = Cancellation(
      identifier: .thumbnails, key: "a", reason: .userCancelled, at: .noon)
    #expect(try store.propose(.cancel(cancellation)) == .applied(.counted(2)))
    #expect(try store.snapshot().heads.map(\.id) == [other])
    #expect(try store.snapshot().live.map(\.run) == [running])
    let rows = try store.history(of: .thumbnails, limit: 2)
    #expect(rows.map(\.outcome) == [.cancelled, .cancelled])
    #expect(rows.map(\.reason) == [.userCancelled, .userCancelled])
  }

  @Test(arguments: StoreKind.allCases)
  func `CP5: cancelling an identifier ends every key that waits`(_ kind: StoreKind) throws {
    let store = try kind.make().handle()
    for key in ["", "a", "b"] { _ = try store.submit(.of(key: key)) }
    let kept = try store.submit(.of(.backup))
    var cancellation = Cancellation(
      identifier: .thumbnails, key: nil, reason: .userCancelled, at: .noon)
    #expect(try store.propose(.cancel(cancellation)) == .applied(.counted(3)))
    #expect(try store.pending(of: nil, limit: 9).map(\.id) == [kept])
    cancellation.identifier = JobIdentifier("com.example.unknown")
    #expect(try store.propose(.cancel(cancellation)) == .applied(.counted(0)))
    #expect(
      try store.snapshots(of: nil, headLimit: 8).map(\.identifier) == [.backup, .thumbnails])
  }

  @Test(arguments: StoreKind.allCases)
  func `SB7: a closed request leaves a row with its condition, once`(_ kind: StoreKind) throws {
    let store = try kind.make().handle()
    let request = try store.submit(.of(key: "a"))
    let closing = RequestClosing(
      request: request, outcome: .failed, reason: .strategyFail, detail: "network", at: .noon)
    #expect(try store.propose(.close(closing)) == .applied(.done))
    #expect(try store.propose(.close(closing)) == .refused(.notPending))
    let row = try #require(try store.history(of: nil, limit: nil).first)
    #expect(row.outcome == .failed)
    #expect(row.reason == .strategyFail)
    #expect(row.detail == "network")
    #expect(row.run == nil)
    #expect(row.attempt == 0)
    #expect(row.output == nil)
    #expect(try store.snapshot().pendingCount == 0)
  }

  @Test(arguments: StoreKind.allCases)
  func `SB7: a decided request keeps its place in another gate class`(_ kind: StoreKind) throws {
    let store = try kind.make().handle()
    let request = try store.submit(.of(key: "a"))
    #expect(try store.propose(.decide(request)) == .applied(.done))
    #expect(try store.snapshot().heads.map(\.gateClass.isDecided) == [true])
    #expect(try store.snapshot().pendingCount == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func `SB10: a switch remembers since when, and changes nothing when repeated`(
    _ kind: StoreKind
  ) throws {
    let store = try kind.make().handle()
    func flip(_ isEnabled: Bool, after seconds: Int) throws -> JobSnapshot {
      let jobSwitch = JobSwitch(
        identifier: .backup, isEnabled: isEnabled, at: .noon + .seconds(seconds))
      #expect(try store.propose(.switchJob(jobSwitch)) == .applied(.done))
      return try store.snapshot(of: .backup)
    }
    let unknown = try flip(true, after: 0)
    #expect(unknown.revision == Revision(0))
    #expect(try store.snapshots(of: nil, headLimit: 8) == [])
    #expect(try flip(false, after: 1).record.disabledSince == .noon + .seconds(1))
    let repeated = try flip(false, after: 2)
    #expect(repeated.record.disabledSince == .noon + .seconds(1))
    #expect(repeated.revision == Revision(1))
    #expect(try flip(true, after: 3).record.disabledSince == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func `DU5: pruning removes old rows, never the last of an identifier`(_ kind: StoreKind) throws {
    let world = try kind.make()
    let store = try world.handle()
    let owner = try world.join()
    for _ in 0..<3 {
      let run = try store.claim(try store.submit(.of()), by: owner)
      _ = try store.propose(.end(.of(run, by: owner)))
    }
    let other = try store.claim(try store.submit(.of(.backup)), by: owner, of: .backup)
    _ = try store.propose(.end(.of(other, by: owner)))
    _ = try store.submit(.of())
    _ = try store.submit(.of())
    let later = WallInstant.noon + .seconds(3600)
    #expect(
      try store.propose(.prune(.thumbnails, endedBefore: later))
        == .applied(.pruned([RunNumber(1), RunNumber(2)])))
    let rows = try store.history(of: .thumbnails, limit: nil)
    #expect(rows.map(\.run) == [nil, RunNumber(3)])
    #expect(try store.endedRun(RunNumber(1)) == nil)
    #expect(try store.endedRun(other) != nil)
    let (revision, _) = try store.changes(since: Revision(0))
    #expect(
      try store.propose(.prune(.thumbnails, endedBefore: later)) == .applied(.pruned([])))
    #expect(try store.changes(since: revision).1 == [])
    let next = try store.claim(try store.snapshot().heads[0].id, by: owner)
    #expect(next == RunNumber(5), "numbers go on behind what was pruned")
  }

  @Test(arguments: StoreKind.allCases)
  func `DU5: pruning stops at the first row that is young enough`(_ kind: StoreKind) throws {
    let store = try kind.make().handle()
    for seconds in [0, 10, 5, 20] {
      let request = try store.submit(.of())
      let closing = RequestClosing(
        request: request, outcome: .skipped, reason: .tooLate, at: .noon + .seconds(seconds))
      _ = try store.propose(.close(closing))
    }
    let limit = WallInstant.noon + .seconds(6)
    _ = try store.propose(.prune(.thumbnails, endedBefore: limit))
    let seconds = try store.history(of: nil, limit: nil).map { $0.endedAt - .noon }
    #expect(seconds == [.seconds(20), .seconds(5), .seconds(10)])
  }

  @Test(arguments: StoreKind.allCases)
  func `ST3: history is newest first and takes a limit`(_ kind: StoreKind) throws {
    let store = try kind.make().handle()
    for identifier in [JobIdentifier.thumbnails, .backup, .thumbnails] {
      _ = try store.submit(.of(identifier))
      _ = try store.submit(.of(identifier))
    }
    let rows = try store.history(of: nil, limit: nil)
    #expect(rows.map(\.identifier) == [.thumbnails, .thumbnails, .backup, .thumbnails])
    #expect(rows.map(\.sequence) == [4, 3, 2, 1])
    #expect(try store.history(of: nil, limit: 2) == Array(rows.prefix(2)))
    #expect(try store.history(of: .backup, limit: 0) == [])
  }

  @Test(arguments: StoreKind.allCases)
  func `PL15: the recorded time moves forward with what is recorded`(_ kind: StoreKind) throws {
    let store = try kind.make().handle()
    #expect(try store.lastRecordedTime() == nil)
    let later = WallInstant.noon + .seconds(5)
    _ = store.commit([.submit(.of())], at: later, headLimit: 1)
    #expect(try store.lastRecordedTime() == later)
    _ = store.commit([.submit(.of())], at: .noon, headLimit: 1)
    #expect(try store.lastRecordedTime() == later)
    _ = store.commit([.decide(RequestID(99))], at: later + .seconds(1), headLimit: 1)
    #expect(try store.lastRecordedTime() == later, "nothing was recorded")
    let reset = Transition.resetRecordedTime(.noon)
    _ = store.commit([reset], at: later + .seconds(1), headLimit: 1)
    #expect(try store.lastRecordedTime() == .noon)
  }

  @Test(arguments: StoreKind.allCases)
  func `a refused transition leaves its neighbours alone`(_ kind: StoreKind) throws {
    let world = try kind.make()
    let store = try world.handle()
    let owner = try world.join()
    let request = try store.submit(.of(key: "a"))
    let claim = Claim(
      request: request, identifier: .thumbnails, owner: owner.fence, startedAt: .noon)
    let report = store.commit(
      [.claim(claim), .claim(claim), .submit(.of(.backup)), .decide(RequestID(99))], at: .noon,
      headLimit: 8)
    #expect(
      report.verdicts == [
        .applied(.claimed(RunNumber(1))), .refused(.notPending),
        .applied(.submitted(RequestID(2), replaced: nil)), .refused(.notPending),
      ])
    #expect(report.snapshots.map(\.identifier) == [.backup, .thumbnails])
    #expect(report.revision == Revision(2))
    #expect(report.snapshots == (try store.snapshots(of: nil, headLimit: 8)))
    #expect(try store.changes(since: Revision(1)).1 == [.backup, .thumbnails])
    #expect(try store.changes(since: Revision(2)).1 == [])
    let empty = store.commit([], at: .noon, headLimit: 8)
    #expect(empty == CommitReport(revision: Revision(2), verdicts: [], snapshots: []))
  }

  @Test(arguments: StoreKind.allCases)
  func `the job set and the seed are the store's`(_ kind: StoreKind) throws {
    let world = try kind.make()
    let (store, other) = (try world.handle(), try world.handle())
    #expect(try store.loadJobSet() == nil)
    #expect(try store.jobSetDigest() == nil)
    let source = StoredJobSet.Source(path: "/j/a.yaml", folder: "/j", text: "version: 1\n")
    try store.saveJobSet(StoredJobSet(digest: "one", sources: [source, source]))
    let second = StoredJobSet(digest: "two", sources: [source])
    try store.saveJobSet(second)
    #expect(try other.loadJobSet() == second)
    #expect(try other.jobSetDigest() == "two")
    #expect(try other.seed() == store.seed())
  }

  @Test(arguments: StoreKind.allCases)
  func `DU1: memory that is given back holds nothing that the store has to remember`(
    _ kind: StoreKind
  ) throws {
    let world = try kind.make()
    let store = try world.handle()
    let owner = try world.join()
    let request = try store.submit(.of(key: "a"))
    let before = try store.snapshot()
    store.releaseUnusedMemory()
    #expect(try store.snapshot() == before)
    let run = try store.claim(request, by: owner)
    #expect(try store.snapshot().live.map(\.run) == [run])
  }
}
