import JobModel
import Testing

@Suite("Every store: runs that are claimed ahead") struct LeaseConformanceTests {
  private static let later = WallInstant.noon + .seconds(5)

  @Test(arguments: StoreKind.allCases)
  func `ST1: a run that is claimed ahead has its number and holds its key, and hasn't started`(
    _ kind: StoreKind
  ) throws {
    let world = try kind.make()
    let store = try world.handle()
    let owner = try world.join()
    let request = try store.submit(.of(key: "a"))
    let run = try store.lease(request, by: owner)
    let snapshot = try store.snapshot()
    #expect(snapshot.live.map(\.run) == [run])
    #expect(snapshot.live.map(\.isLeased) == [true])
    #expect(snapshot.record.lastStart == nil)
    #expect(snapshot.pendingCount == 0)
    let again = try store.submit(.of(key: "a"))
    let claim = Claim(
      request: again, identifier: .thumbnails, owner: owner.fence, startedAt: .noon)
    #expect(try store.propose(.claim(claim)) == .refused(.keyIsRunning(run)))
  }

  @Test(arguments: StoreKind.allCases)
  func `SB1: a released run leaves its request pending as it was, and no row`(
    _ kind: StoreKind
  ) throws {
    let world = try kind.make()
    let store = try world.handle()
    let owner = try world.join()
    let request = try store.submit(.of(key: "a"))
    let before = try store.snapshot()
    let run = try store.lease(request, by: owner)
    #expect(try store.propose(.release(.of(run, by: owner))) == .applied(.done))
    var after = try store.snapshot()
    after.revision = before.revision
    #expect(after == before)
    #expect(try store.history(of: nil, limit: nil) == [])
    #expect(try store.endedRun(run) == nil)
    #expect(try store.propose(.release(.of(run, by: owner))) == .refused(.notRunning))
    // Its number isn't used again: nobody takes the next run for this one.
    #expect(try store.claim(request, by: owner) == RunNumber(2))
  }

  @Test(arguments: StoreKind.allCases)
  func `LC9: a retry that was claimed ahead is released to its date and attempt`(
    _ kind: StoreKind
  ) throws {
    let world = try kind.make()
    let store = try world.handle()
    let owner = try world.join()
    let request = try store.submit(.of(key: "a"))
    let first = try store.claim(request, by: owner)
    let again = RunEnd.Disposition.again(
      notBefore: Self.later, floor: .retryDelay, attempt: 2, returnsInRow: 1)
    _ = try store.propose(.end(.of(first, by: owner, outcome: .failed, next: again)))
    let waiting = try store.snapshot().heads
    let second = try store.lease(request, by: owner)
    #expect(try store.propose(.release(.of(second, by: owner))) == .applied(.done))
    #expect(try store.snapshot().heads == waiting)
  }

  @Test(arguments: StoreKind.allCases)
  func `SB1: what was submitted again meanwhile has replaced the released request`(
    _ kind: StoreKind
  ) throws {
    let world = try kind.make()
    let store = try world.handle()
    let owner = try world.join()
    let run = try store.lease(try store.submit(.of(key: "a")), by: owner)
    let newer = try store.submit(.of(key: "a"))
    #expect(try store.propose(.release(.of(run, by: owner))) == .applied(.done))
    #expect(try store.snapshot().heads.map(\.id) == [newer])
    #expect(try store.snapshot().pendingCount == 1)
    let rows = try store.history(of: nil, limit: nil)
    #expect(rows.map(\.outcome) == [.cancelled])
    #expect(rows.map(\.reason) == [.replaced])
    #expect(rows.map(\.run) == [nil])
  }

  @Test(arguments: StoreKind.allCases)
  func `ST3: a run that was claimed ahead is recorded with its real start`(
    _ kind: StoreKind
  ) throws {
    let world = try kind.make()
    let store = try world.handle()
    let owner = try world.join()
    let told = try store.lease(try store.submit(.of(key: "a")), by: owner)
    let start = RunStart(run: told, owner: owner.fence, startedAt: Self.later)
    #expect(try store.propose(.begin(start)) == .applied(.done))
    #expect(try store.snapshot().live.map(\.isLeased) == [false])
    #expect(try store.snapshot().live.map(\.startedAt) == [Self.later])
    #expect(try store.snapshot().record.lastStart == Self.later)
    #expect(try store.propose(.begin(start)) == .refused(.hasStarted))
    #expect(try store.propose(.release(.of(told, by: owner))) == .refused(.hasStarted))

    let short = try store.lease(try store.submit(.of(key: "b")), by: owner)
    var end = RunEnd.of(short, by: owner)
    end.startedAt = Self.later + .seconds(1)
    #expect(try store.propose(.end(end)) == .applied(.done))
    #expect(try store.endedRun(short)?.startedAt == Self.later + .seconds(1))
    #expect(try store.snapshot().record.lastStart == Self.later + .seconds(1))
  }

  @Test(arguments: StoreKind.allCases)
  func `DU2: whoever adopts a run that was claimed ahead knows that it may not have started`(
    _ kind: StoreKind
  ) throws {
    let world = try kind.make()
    let store = try world.handle()
    let (owner, heir) = (try world.join(), try world.join())
    let run = try store.lease(try store.submit(.of(key: "a")), by: owner)
    world.kill(owner)
    let adopted = try #require(try store.adopt(owner, by: heir))
    #expect(adopted.map(\.run) == [run])
    #expect(adopted.map(\.isLeased) == [true])
    #expect(try store.propose(.release(.of(run, by: owner))) == .refused(.ownerDeparted))
    #expect(try store.propose(.release(.of(run, by: heir))) == .applied(.done))
  }
}

extension RunRelease {
  static func of(_ run: RunNumber, by owner: Owner) -> RunRelease {
    RunRelease(run: run, owner: owner.fence, at: .noon)
  }
}

extension JobStore {
  func lease(
    _ request: RequestID, by owner: Owner, of identifier: JobIdentifier = .thumbnails
  ) throws -> RunNumber {
    let claim = Claim(
      request: request, identifier: identifier, owner: owner.fence, startedAt: .noon,
      isLease: true)
    guard case .applied(.claimed(let run)) = try propose(.claim(claim)) else {
      throw Unexpected("the claim ahead wasn't applied")
    }
    return run
  }
}
