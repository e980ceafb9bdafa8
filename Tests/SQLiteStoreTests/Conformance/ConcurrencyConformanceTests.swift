import JobModel
import StoreConformance
import Testing

@Suite("Every store: concurrent twins") struct ConcurrencyConformanceTests {
  private static let twins = 4

  /// What each twin, with a handle of its own and at the same time as the others, came to.
  private func onEachTwin<Result: Sendable>(
    of world: any StoreUnderTest, _ body: @escaping @Sendable (any JobStore) throws -> Result
  ) async throws -> [Result] {
    try await withThrowingTaskGroup(of: Result.self) { group in
      for _ in 0..<Self.twins {
        group.addTask { try body(try world.handle()) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `DU3, ST1: each request is claimed by one of those who try`(_ kind: StoreKind) async throws {
    let world = try kind.make()
    let store = try world.handle()
    let owner = try world.join()
    let requests = try (0..<20).map { try store.submit(.of(key: "\($0)")) }
    let claimed = try await onEachTwin(of: world) { store in
      try requests.filter { request in
        let claim = Claim(
          request: request, identifier: .thumbnails, owner: owner.fence, startedAt: .noon)
        if case .applied(.claimed) = try store.propose(.claim(claim)) { return true }
        return false
      }
    }
    #expect(claimed.flatMap { $0 }.sorted() == requests)
    #expect(try store.snapshot().live.count == requests.count)
    #expect(Set(try store.snapshot().live.map(\.run.value)) == Set(1...20))
  }

  @Test(arguments: StoreKind.allCases)
  func `PL11: each instant is recorded by one of those who try`(_ kind: StoreKind) async throws {
    let world = try kind.make()
    let store = try world.handle()
    let instants = (0..<10).map { WallInstant.noon + .seconds($0) }
    let applied = try await onEachTwin(of: world) { store in
      var applied = 0
      var anchor: WallInstant?
      for instant in instants {
        var recording = InstantRecording(
          identifier: .backup, expectedAnchor: anchor, newAnchor: instant,
          scheduleFingerprint: "often", recordedAt: .noon)
        recording.requests = [.instant(instant)]
        if try store.propose(.recordInstants(recording)) == .applied(.done) { applied += 1 }
        anchor = instant
      }
      return applied
    }
    #expect(applied.reduce(0, +) == instants.count)
    #expect(try store.pending(of: .backup, limit: 99).map(\.notBefore) == instants)
  }

  @Test(arguments: StoreKind.allCases)
  func `SB1: of those who submit one key at once, one submission stays`(
    _ kind: StoreKind
  ) async throws {
    let world = try kind.make()
    let submitted = try await onEachTwin(of: world) { try $0.submit(.of(key: "a")) }
    let store = try world.handle()
    let last = try #require(submitted.max())
    #expect(try store.snapshot().heads.map(\.id) == [last])
    #expect(try store.history(of: .thumbnails, limit: nil).count == Self.twins - 1)
  }

  @Test(arguments: StoreKind.allCases)
  func `DU2: of those who adopt a dead owner, one gets its runs`(_ kind: StoreKind) async throws {
    let world = try kind.make()
    let store = try world.handle()
    let dead = try world.join()
    let run = try store.claim(try store.submit(.of()), by: dead)
    world.kill(dead)
    let adopted = try await onEachTwin(of: world) { store in
      try store.adopt(dead, by: try world.join())
    }
    #expect(adopted.compactMap { $0?.map(\.run) } == [[run]])
  }
}
