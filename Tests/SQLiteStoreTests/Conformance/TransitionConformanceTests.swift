import JobModel
import StoreConformance
import Testing

@Suite("Every store: each transition") struct TransitionConformanceTests {
  @Test(arguments: StoreKind.allCases, TransitionCase.allCases)
  func `a fresh transition is applied, reported as it is, and seen by others`(
    _ kind: StoreKind, _ transition: TransitionCase
  ) throws {
    let world = try kind.make()
    let (store, other) = (try world.handle(), try world.handle())
    let stage = try TransitionCase.Stage(in: store, owner: try world.join())
    let revision = try other.changes(since: Revision(0)).0
    let report = store.commit([transition.transition(on: stage)], at: .noon, headLimit: 8)
    #expect(report.verdicts == [transition.fresh])
    #expect(report.revision == Revision(revision.value + 1))
    let isAboutJob = transition != .resetRecordedTime
    #expect(try other.changes(since: revision).1 == (isAboutJob ? [.thumbnails] : []))
    #expect(report.snapshots == (isAboutJob ? [try other.snapshot()] : []))
  }

  @Test(arguments: StoreKind.allCases, TransitionCase.allCases)
  func `ST1, PL11: a transition that another process was quicker with changes nothing twice`(
    _ kind: StoreKind, _ transition: TransitionCase
  ) throws {
    let world = try kind.make()
    let (store, quicker) = (try world.handle(), try world.handle())
    let stage = try TransitionCase.Stage(in: store, owner: try world.join())
    #expect(try quicker.propose(transition.transition(on: stage)) == transition.fresh)
    let before = try Contents(of: store)
    #expect(try store.propose(transition.transition(on: stage)) == transition.stale)
    if case .refused = transition.stale { #expect(try Contents(of: store) == before) }
  }

  @Test(arguments: StoreKind.allCases, TransitionCase.allCases)
  func `DU2: what an adopted owner proposes for its runs is refused and changes nothing`(
    _ kind: StoreKind, _ transition: TransitionCase
  ) throws {
    let world = try kind.make()
    let store = try world.handle()
    let stage = try TransitionCase.Stage(in: store, owner: try world.join())
    let heir = try world.join()
    world.kill(stage.owner)
    #expect(try store.adopt(stage.owner, by: heir)?.count == 2)
    let before = try Contents(of: store)
    let verdict = try store.propose(transition.transition(on: stage))
    #expect(verdict == (transition.isFenced ? .refused(.ownerDeparted) : transition.fresh))
    if transition.isFenced { #expect(try Contents(of: store) == before) }
  }

  @Test(arguments: StoreKind.allCases, TransitionCase.allCases)
  func `DU4: a store that can't write fails the transition, keeps all and works again`(
    _ kind: StoreKind, _ transition: TransitionCase
  ) throws {
    let world = try kind.make()
    let store = try world.handle()
    let stage = try TransitionCase.Stage(in: store, owner: try world.join())
    let before = try Contents(of: store)
    let proposal = transition.transition(on: stage)
    try world.whileBroken {
      let report = store.commit([proposal, proposal], at: .noon + .seconds(9), headLimit: 8)
      #expect(report.snapshots == [])
      #expect(report.verdicts.count == 2)
      for verdict in report.verdicts {
        guard case .failed(let failure) = verdict else { throw Unexpected("\(verdict)") }
        #expect(failure.cause == .readOnly)
      }
    }
    #expect(try Contents(of: store) == before)
    #expect(try store.propose(proposal) == transition.fresh)
  }

  /// Everything that a store shows.
  private struct Contents: Equatable {
    var snapshots: [JobSnapshot]
    var history: [HistoryRow]
    var pending: [RequestRecord]
    var recordedTime: WallInstant?

    init(of store: any JobStore) throws {
      snapshots = try store.snapshots(of: nil, headLimit: 8)
      history = try store.history(of: nil, limit: nil)
      pending = try store.pending(of: nil, limit: 99)
      recordedTime = try store.lastRecordedTime()
    }
  }
}
