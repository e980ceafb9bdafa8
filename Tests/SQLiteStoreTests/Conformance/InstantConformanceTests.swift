import JobModel
import Testing

@Suite("Every store: scheduled instants") struct InstantConformanceTests {
  private func recording(
    from anchor: WallInstant?, to newAnchor: WallInstant, instants: [WallInstant] = []
  ) -> InstantRecording {
    var recording = InstantRecording(
      identifier: .backup, expectedAnchor: anchor, newAnchor: newAnchor,
      scheduleFingerprint: "hourly", recordedAt: .noon)
    recording.requests = instants.map { .instant($0) }
    return recording
  }

  @Test(arguments: StoreKind.allCases)
  func `PL11: the anchor, the instants and the skipped row come together`(_ kind: StoreKind) throws
  {
    let store = try kind.make().handle()
    var recording = recording(from: nil, to: .noon, instants: [.noon])
    recording.skipped = SkippedInstants(count: 4, reason: .missed, last: .noon - .seconds(3600))
    recording.skipped?.detail = "asleep"
    let report = store.commit([.recordInstants(recording)], at: .noon, headLimit: 8)
    #expect(report.verdicts == [.applied(.done)])
    let snapshot = try #require(report.snapshots.first)
    #expect(snapshot.record.anchor == .noon)
    #expect(snapshot.record.scheduleFingerprint == "hourly")
    #expect(snapshot.record.lastOutcome == .skipped)
    #expect(snapshot.record.lastReason == .missed)
    #expect(snapshot.heads.map(\.origin) == [.instant(.noon)])
    let row = try #require(try store.history(of: .backup, limit: nil).first)
    #expect(row.count == 4)
    #expect(row.detail == "asleep")
    #expect(row.scheduledAt == .noon - .seconds(3600))
    #expect(row.endedAt == .noon)
  }

  @Test(arguments: StoreKind.allCases)
  func `PL11: an anchor that somebody else moved refuses the whole recording`(
    _ kind: StoreKind
  ) throws {
    let world = try kind.make()
    let (first, second) = (try world.handle(), try world.handle())
    let hour = WallInstant.noon + .seconds(3600)
    #expect(
      try first.propose(.recordInstants(recording(from: nil, to: .noon, instants: [.noon])))
        == .applied(.done))
    var late = recording(from: nil, to: hour, instants: [hour])
    late.skipped = SkippedInstants(count: 1, reason: .missed, last: .noon)
    let before = try second.snapshot(of: .backup)
    #expect(try second.propose(.recordInstants(late)) == .refused(.anchorMoved(.noon)))
    #expect(try second.snapshot(of: .backup) == before)
    #expect(try second.history(of: nil, limit: nil) == [])
  }

  @Test(arguments: StoreKind.allCases)
  func `PL11: an instant is recorded once, even after its run has ended`(_ kind: StoreKind) throws {
    let world = try kind.make()
    let store = try world.handle()
    let owner = try world.join()
    let hour = WallInstant.noon + .seconds(3600)
    _ = try store.propose(.recordInstants(recording(from: nil, to: .noon, instants: [.noon])))
    let request = try #require(try store.snapshot(of: .backup).heads.first)
    let run = try store.claim(request.id, by: owner, of: .backup)
    _ = try store.propose(.end(.of(run, by: owner)))
    let twice = recording(from: .noon, to: hour, instants: [.noon, hour])
    #expect(try store.propose(.recordInstants(twice)) == .refused(.instantExists))
    let doubled = recording(from: .noon, to: hour, instants: [hour, hour])
    #expect(try store.propose(.recordInstants(doubled)) == .refused(.instantExists))
    #expect(try store.snapshot(of: .backup).pendingCount == 0)
    #expect(try store.snapshot(of: .backup).record.anchor == .noon)
  }

  @Test(arguments: StoreKind.allCases)
  func `PL9: superseded instants make way for the latest`(_ kind: StoreKind) throws {
    let store = try kind.make().handle()
    let hour = WallInstant.noon + .seconds(3600)
    _ = try store.propose(.recordInstants(recording(from: nil, to: .noon, instants: [.noon])))
    let old = try #require(try store.snapshot(of: .backup).heads.first)
    var latest = recording(from: .noon, to: hour, instants: [hour])
    latest.superseded = [old.id]
    latest.skipped = SkippedInstants(count: 1, reason: .missed, last: .noon)
    #expect(try store.propose(.recordInstants(latest)) == .applied(.done))
    #expect(try store.snapshot(of: .backup).heads.map(\.origin) == [.instant(hour)])
    #expect(try store.snapshot(of: .backup).pendingCount == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func `PL9: an instant that has started is not superseded`(_ kind: StoreKind) throws {
    let world = try kind.make()
    let store = try world.handle()
    let owner = try world.join()
    let hour = WallInstant.noon + .seconds(3600)
    _ = try store.propose(.recordInstants(recording(from: nil, to: .noon, instants: [.noon])))
    let old = try #require(try store.snapshot(of: .backup).heads.first)
    let run = try store.claim(old.id, by: owner, of: .backup)
    var latest = recording(from: .noon, to: hour, instants: [hour])
    latest.superseded = [old.id]
    #expect(try store.propose(.recordInstants(latest)) == .refused(.notPending))
    #expect(try store.snapshot(of: .backup).record.anchor == .noon)
    let again = RunEnd.Disposition.again(
      notBefore: .noon, floor: .retryDelay, attempt: 1, returnsInRow: 1)
    _ = try store.propose(.end(.of(run, by: owner, outcome: .interrupted, next: again)))
    #expect(try store.propose(.recordInstants(latest)) == .refused(.notPending))
    #expect(try store.snapshot(of: .backup).heads.map(\.id) == [old.id])
  }

  @Test(arguments: StoreKind.allCases)
  func `PL7: an anchor may be set back, and its fingerprint changed`(_ kind: StoreKind) throws {
    let store = try kind.make().handle()
    let hour = WallInstant.noon + .seconds(3600)
    _ = try store.propose(.recordInstants(recording(from: nil, to: hour)))
    var back = recording(from: hour, to: .noon)
    back.scheduleFingerprint = "daily"
    #expect(try store.propose(.recordInstants(back)) == .applied(.done))
    #expect(try store.snapshot(of: .backup).record.anchor == .noon)
    #expect(try store.snapshot(of: .backup).record.scheduleFingerprint == "daily")
  }
}
