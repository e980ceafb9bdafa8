import JobModel
import Testing

@Suite("Every store: owners") struct OwnerConformanceTests {
  @Test(arguments: StoreKind.allCases)
  func `DU2: each join is an owner of its own, with a higher fence`(_ kind: StoreKind) throws {
    let world = try kind.make()
    let store = try world.handle()
    let (first, second) = (try world.join(), try world.join())
    #expect(first.fence < second.fence)
    #expect(first.name != second.name)
    #expect(try store.owners().map(\.owner) == [first, second])
    #expect(try store.owners().map(\.isAlive) == [true, true])
    #expect(try store.departures() == [])
  }

  @Test(arguments: StoreKind.allCases)
  func `DU2: leaving in good order is no departure`(_ kind: StoreKind) throws {
    let store = try kind.make().handle()
    let owner = try store.join(host: "here", processID: 7, at: .noon)
    #expect(owner.startedAt == .noon)
    try store.leave(owner)
    #expect(try store.departures() == [])
    #expect(try store.owners() == [])
    let request = try store.submit(.of())
    let claim = Claim(
      request: request, identifier: .thumbnails, owner: owner.fence, startedAt: .noon)
    #expect(try store.propose(.claim(claim)) == .refused(.ownerDeparted))
  }

  @Test(arguments: StoreKind.allCases)
  func `EM1: an owner that starts nothing any more is alive, and says so`(_ kind: StoreKind) throws
  {
    let world = try kind.make()
    let store = try world.handle()
    let (first, second) = (try world.join(), try world.join())
    #expect(try store.owners().map(\.isAtWork) == [true, true])
    try store.retire(first)
    #expect(try store.owners().map(\.isAlive) == [true, true])
    #expect(try store.owners().map(\.isAtWork) == [false, true])
    let run = try store.claim(try store.submit(.of()), by: first)
    try store.publish(.assumed(at: .noon), of: first)
    #expect(try store.departures() == [])
    #expect(try store.owners().map(\.isAtWork) == [false, true])
    world.kill(first)
    #expect(try store.adopt(first, by: second)?.map(\.run) == [run])
  }

  @Test(arguments: StoreKind.allCases)
  func `DU2: an owner that leaves a run behind has departed, so that the run is adopted`(
    _ kind: StoreKind
  ) throws {
    let world = try kind.make()
    let store = try world.handle()
    let owner = try store.join(host: "here", processID: 7, at: .noon)
    let heir = try world.join()
    let run = try store.claim(try store.submit(.of()), by: owner)
    try store.leave(owner)
    #expect(try store.departures() == [owner])
    #expect(try store.adopt(owner, by: heir)?.map(\.run) == [run])
  }

  @Test(arguments: StoreKind.allCases)
  func `DU2: a dead owner departs and exactly one adopts its runs`(_ kind: StoreKind) throws {
    let world = try kind.make()
    let store = try world.handle()
    let (dead, heir, rival) = (try world.join(), try world.join(), try world.join())
    let first = try store.claim(try store.submit(.of(key: "a")), by: dead)
    let second = try store.claim(try store.submit(.of(key: "b")), by: dead)
    let kept = try store.claim(try store.submit(.of(key: "c")), by: rival)
    #expect(try store.adopt(dead, by: heir) == nil, "it is alive")
    world.kill(dead)
    #expect(try store.departures() == [dead])
    #expect(try store.owners().map(\.isAlive) == [false, true, true])
    let revision = try store.changes(since: Revision(0)).0
    let adopted = try #require(try store.adopt(dead, by: heir))
    #expect(adopted.map(\.run) == [first, second])
    #expect(adopted.map(\.owner) == [heir.fence, heir.fence])
    #expect(try store.adopt(dead, by: rival) == nil)
    #expect(try store.departures() == [])
    #expect(try store.changes(since: revision).1 == [.thumbnails])
    #expect(try store.snapshot().live.first { $0.run == kept }?.owner == rival.fence)
    #expect(try store.propose(.end(.of(first, by: heir))) == .applied(.done))
  }

  @Test(arguments: StoreKind.allCases)
  func `DU2: a dead owner without runs is adopted too`(_ kind: StoreKind) throws {
    let world = try kind.make()
    let store = try world.handle()
    let (dead, heir) = (try world.join(), try world.join())
    world.kill(dead)
    #expect(try store.adopt(dead, by: heir) == [])
    #expect(try store.adopt(dead, by: heir) == nil)
    #expect(try store.owners().map(\.owner) == [heir])
  }

  @Test(arguments: StoreKind.allCases)
  func `DU2: an adopter that dies is itself adopted, with all its runs`(_ kind: StoreKind) throws {
    let world = try kind.make()
    let store = try world.handle()
    let (dead, heir, last) = (try world.join(), try world.join(), try world.join())
    let run = try store.claim(try store.submit(.of()), by: dead)
    world.kill(dead)
    _ = try store.adopt(dead, by: heir)
    world.kill(heir)
    #expect(try store.departures() == [heir])
    #expect(try store.adopt(heir, by: last)?.map(\.run) == [run])
  }

  @Test(arguments: StoreKind.allCases)
  func `DU2: an owner that was adopted adopts nobody`(_ kind: StoreKind) throws {
    let world = try kind.make()
    let store = try world.handle()
    let (first, second, heir) = (try world.join(), try world.join(), try world.join())
    world.kill(first)
    world.kill(second)
    _ = try store.adopt(first, by: heir)
    #expect(try store.adopt(second, by: first) == nil)
    #expect(try store.departures() == [second])
  }

  @Test(arguments: StoreKind.allCases)
  func `PL1: what an owner publishes is read elsewhere, the last one wins`(
    _ kind: StoreKind
  ) throws {
    let world = try kind.make()
    let (store, command) = (try world.handle(), try world.handle())
    let (owner, silent) = (try world.join(), try world.join())
    var device = DeviceState.assumed(at: .noon)
    try store.publish(device, of: owner)
    #expect(try command.owners().map(\.device) == [device, nil])
    device.externalPower = Reading(
      false, source: "/sys/class/power_supply/AC", since: .noon + .seconds(1))
    device.batteryPercent = Reading(43, source: "BAT0", since: .noon)
    device.connectivity = Reading(.metered, source: "rtnetlink", since: .noon)
    device.userActivity = Reading(.idle(since: .noon - .seconds(9)), source: "logind", since: .noon)
    device.isLowPowerMode = Reading(true, source: "profile", since: .noon)
    device.hasGPU = Reading(true, source: "/dev/dri", since: .noon)
    device.freeSpace = [
      "": Reading(1 << 40, source: "statvfs", since: .noon),
      "/srv": Reading(0, source: "statvfs", since: .noon, isAssumed: true),
    ]
    try store.publish(device, of: owner)
    #expect(try command.owners().map(\.device) == [device, nil])
    world.kill(owner)
    _ = try store.adopt(owner, by: silent)
    try store.publish(device, of: owner)
    #expect(try command.owners().map(\.device) == [nil])
  }
}
