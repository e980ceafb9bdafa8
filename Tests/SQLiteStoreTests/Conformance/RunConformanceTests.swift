import JobModel
import Testing

@Suite("Every store: runs") struct RunConformanceTests {
  @Test(arguments: StoreKind.allCases)
  func `ST1: a claim records the run with the next number before it starts`(
    _ kind: StoreKind
  ) throws {
    let world = try kind.make()
    let store = try world.handle()
    let owner = try world.join()
    let request = try store.submit(.of(key: "a"))
    let run = try store.claim(request, by: owner)
    #expect(run == RunNumber(1))
    let snapshot = try store.snapshot()
    let live = try #require(snapshot.live.first)
    #expect(live.run == run)
    #expect(live.owner == owner.fence)
    #expect(live.startedAt == .noon)
    #expect(live.request.id == request)
    #expect(live.request.starts == 1)
    #expect(snapshot.record.lastStart == .noon)
    #expect(snapshot.pendingCount == 0)
    #expect(try store.endedRun(run) == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func `SB1: a key that runs is not started a second time`(_ kind: StoreKind) throws {
    let world = try kind.make()
    let store = try world.handle()
    let owner = try world.join()
    let run = try store.claim(try store.submit(.of(key: "a")), by: owner)
    let second = try store.submit(.of(key: "a"))
    let claim = Claim(
      request: second, identifier: .thumbnails, owner: owner.fence, startedAt: .noon)
    #expect(try store.propose(.claim(claim)) == .refused(.keyIsRunning(run)))
    #expect(try store.snapshot().pendingCount == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func `ST1: a run ends once, with everything that is known of it`(_ kind: StoreKind) throws {
    let world = try kind.make()
    let store = try world.handle()
    let owner = try world.join()
    let run = try store.claim(try store.submit(.of(key: "a")), by: owner)
    var end = RunEnd.of(run, by: owner, outcome: .crashed, reason: .handlerSignalled)
    end.detail = "Segmentation fault"
    end.ending.signal = 11
    end.ending.peakMemory = 5_000_000_000
    end.ending.cpuTime = .milliseconds(1500)
    end.ending.wasKilled = true
    end.progress = 0.25
    #expect(try store.propose(.end(end)) == .applied(.done))
    #expect(try store.propose(.end(end)) == .refused(.notRunning))
    let row = try #require(try store.endedRun(run))
    #expect(row.outcome == .crashed)
    #expect(row.reason == .handlerSignalled)
    #expect(row.detail == "Segmentation fault")
    #expect(row.ending == end.ending)
    #expect(row.progress == 0.25)
    #expect(row.key == "a")
    #expect(row.attempt == 1)
    #expect(row.host == "here")
    #expect(row.output == "output/com.example.thumbnails/\(run).log")
    #expect(row.startedAt == .noon)
    #expect(row.lateness == .zero)
    #expect(try store.history(of: .thumbnails, limit: nil) == [row])
    #expect(try store.snapshot().record.lastOutcome == .crashed)
    #expect(try store.snapshot().record.lastReason == .handlerSignalled)
    #expect(try store.snapshot().live == [])
  }

  @Test(arguments: StoreKind.allCases)
  func `ST1: only the owner that claimed a run warns and ends it`(_ kind: StoreKind) throws {
    let world = try kind.make()
    let store = try world.handle()
    let (owner, stranger) = (try world.join(), try world.join())
    let run = try store.claim(try store.submit(.of()), by: owner)
    let before = try store.snapshot()
    #expect(try store.propose(.end(.of(run, by: stranger))) == .refused(.staleFence))
    let expiring = RunRecord.Expiring(reason: .timeLimit, since: .noon, graceEnds: .noon)
    let warning = BeginExpiring(run: run, owner: stranger.fence, expiring: expiring)
    #expect(try store.propose(.beginExpiring(warning)) == .refused(.staleFence))
    let progress = ProgressRecording(
      run: run, owner: stranger.fence, fraction: 1, title: nil, subtitle: nil)
    #expect(try store.propose(.progress(progress)) == .refused(.staleFence))
    #expect(try store.snapshot() == before)
  }

  @Test(arguments: StoreKind.allCases)
  func `LC9: a run that ends for another start puts its request back`(_ kind: StoreKind) throws {
    let world = try kind.make()
    let store = try world.handle()
    let owner = try world.join()
    var submission = Submission.of(key: "a")
    submission.gateClass.strategy = .fail
    let request = try store.submit(submission)
    let run = try store.claim(request, by: owner)
    let later = WallInstant.noon + .seconds(90)
    let again = RunEnd.Disposition.again(
      notBefore: later, floor: .retryDelay, attempt: 2, returnsInRow: 1)
    let end = RunEnd.of(run, by: owner, outcome: .failed, reason: .handlerExited, next: again)
    #expect(try store.propose(.end(end)) == .applied(.done))
    let waiting = try #require(try store.snapshot().heads.first)
    #expect(waiting.id == request)
    #expect(waiting.notBefore == later)
    #expect(waiting.floor == .retryDelay)
    #expect(waiting.attempt == 2)
    #expect(waiting.starts == 1)
    #expect(waiting.returnsInRow == 1)
    #expect(waiting.gateClass.isDecided)
    #expect(waiting.gateClass.strategy == .fail)
    #expect(try store.snapshot().pendingCount == 1)
    #expect(try store.claim(request, by: owner) == RunNumber(2))
  }

  @Test(arguments: StoreKind.allCases)
  func `PL16: only the final success of a request is remembered`(_ kind: StoreKind) throws {
    let world = try kind.make()
    let store = try world.handle()
    let owner = try world.join()
    let request = try store.submit(.of())
    let again = RunEnd.Disposition.again(
      notBefore: .noon, floor: .retryDelay, attempt: 2, returnsInRow: 0)
    let first = try store.claim(request, by: owner)
    _ = try store.propose(.end(.of(first, by: owner, outcome: .failed, next: again)))
    #expect(try store.snapshot().record.lastSuccess == nil)
    let second = try store.claim(request, by: owner)
    _ = try store.propose(.end(.of(second, by: owner)))
    #expect(try store.snapshot().record.lastSuccess == .noon + .seconds(60))
  }

  @Test(arguments: StoreKind.allCases)
  func `LC4: a warning is kept until the run has ended`(_ kind: StoreKind) throws {
    let world = try kind.make()
    let store = try world.handle()
    let owner = try world.join()
    let run = try store.claim(try store.submit(.of()), by: owner)
    let expiring = RunRecord.Expiring(
      reason: .requiresExternalPower, since: .noon, graceEnds: .noon + .seconds(10))
    let warning = BeginExpiring(run: run, owner: owner.fence, expiring: expiring)
    #expect(try store.propose(.beginExpiring(warning)) == .applied(.done))
    #expect(try store.snapshot().live.map(\.expiring) == [expiring])
  }

  @Test(arguments: StoreKind.allCases)
  func `CP5: anybody may ask for the stop of a live run`(_ kind: StoreKind) throws {
    let world = try kind.make()
    let (store, command) = (try world.handle(), try world.handle())
    let owner = try world.join()
    let run = try store.claim(try store.submit(.of()), by: owner)
    let stop = StopRequest(run: run, reason: .userCancelled)
    let (revision, _) = try store.changes(since: Revision(0))
    #expect(try command.propose(.requestStop(stop)) == .applied(.done))
    #expect(try store.changes(since: revision).1 == [.thumbnails])
    #expect(try store.snapshot().live.map(\.stopRequested) == [.userCancelled])
  }

  @Test(arguments: StoreKind.allCases)
  func `CP3: a stall is kept until somebody answers, the owner takes it back, or the run ends`(
    _ kind: StoreKind
  ) throws {
    let world = try kind.make()
    let (store, command) = (try world.handle(), try world.handle())
    let (owner, stranger) = (try world.join(), try world.join())
    let run = try store.claim(try store.submit(.of()), by: owner)
    func stall(_ since: WallInstant?, by owner: Owner) throws -> Verdict {
      try store.propose(.stall(StallRecording(run: run, owner: owner.fence, since: since)))
    }
    let since = WallInstant.noon - .seconds(30)
    #expect(try stall(since, by: stranger) == .refused(.staleFence))
    #expect(try stall(since, by: owner) == .applied(.done))
    #expect(try command.snapshot().live.map(\.stalledSince) == [since])
    let (revision, _) = try store.changes(since: Revision(0))
    #expect(try command.propose(.goOnWaiting(run)) == .applied(.done))
    #expect(try store.changes(since: revision).1 == [.thumbnails])
    #expect(try store.snapshot().live.map(\.stalledSince) == [nil])
    // Who answers second, or after the run has moved, is told so.
    let stop = StopRequest(run: run, reason: .progressStalled)
    #expect(try command.propose(.requestStop(stop)) == .refused(.notStalled))
    #expect(try stall(since, by: owner) == .applied(.done))
    #expect(try stall(nil, by: owner) == .applied(.done))
    #expect(try store.snapshot().live.map(\.stalledSince) == [nil])
    #expect(try command.propose(.requestStop(stop)) == .refused(.notStalled))
    #expect(try stall(since, by: owner) == .applied(.done))
    #expect(try command.propose(.requestStop(stop)) == .applied(.done))
    _ = try store.propose(.end(.of(run, by: owner)))
    #expect(try command.propose(.goOnWaiting(run)) == .refused(.notRunning))
  }

  @Test(arguments: StoreKind.allCases)
  func `CP3: progress keeps what it doesn't mention`(_ kind: StoreKind) throws {
    let world = try kind.make()
    let store = try world.handle()
    let owner = try world.join()
    let run = try store.claim(try store.submit(.of()), by: owner)
    func report(_ fraction: Double?, _ title: String?, _ subtitle: String?) throws {
      let progress = ProgressRecording(
        run: run, owner: owner.fence, fraction: fraction, title: title, subtitle: subtitle)
      #expect(try store.propose(.progress(progress)) == .applied(.done))
    }
    try report(0.5, "Exporting", nil)
    try report(nil, nil, "page 2")
    let live = try #require(try store.snapshot().live.first)
    #expect(live.progress == 0.5)
    #expect(live.title == "Exporting")
    #expect(live.subtitle == "page 2")
    _ = try store.propose(.end(.of(run, by: owner)))
    #expect(try store.endedRun(run)?.progress == 0.5)
  }
}
