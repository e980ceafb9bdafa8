import Glibc
import JobModel
import Testing

@testable import SQLiteStore

@Suite("SQLite: two processes") struct TwoProcessTests {
  @Test func `DU3: two runners work off one queue, each run once and nobody locked out`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path
    let store = try SQLiteStore(path: path)
    let requests = try (0..<60).map { try store.submit(.of(key: "\($0)")) }
    async let first = #expect(processExitsWith: .success) { [path = path as String] in
      try WorkLoop(path: path).run()
    }
    async let second = #expect(processExitsWith: .success) { [path = path as String] in
      try WorkLoop(path: path).run()
    }
    _ = await (first, second)
    let rows = try store.history(of: .thumbnails, limit: nil)
    #expect(rows.map(\.outcome) == requests.map { _ in .succeeded })
    #expect(Set(rows.compactMap(\.run?.value)) == Set(1...Int64(requests.count)))
    #expect(Set(rows.map(\.key)).count == requests.count)
    #expect(try store.pending(of: nil, limit: 1) == [])
    #expect(try store.departures() == [])
  }
}

/// A runner of its own process that claims and ends what it finds, then leaves.
private struct WorkLoop {
  let path: String

  func run() throws {
    let store = try SQLiteStore(path: path, patience: .longer)
    let owner = try store.join(host: "here", processID: getpid(), at: .noon)
    var heads = try store.snapshot().heads
    while let head = heads.first {
      let claim = Claim(
        request: head.id, identifier: .thumbnails, owner: owner.fence, startedAt: .noon)
      let report = store.commit([.claim(claim)], at: .noon, headLimit: 8)
      heads = report.snapshots.first?.heads ?? []
      switch report.verdicts[0] {
      case .applied(.claimed(let run)):
        guard try store.propose(.end(.of(run, by: owner))) == .applied(.done) else { exit(3) }
      case .refused(.notPending): continue
      default: exit(4)
      }
    }
    try store.leave(owner)
  }
}
