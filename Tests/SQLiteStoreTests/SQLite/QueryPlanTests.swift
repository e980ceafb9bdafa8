import JobModel
import Testing

@testable import SQLiteStore

@Suite("SQLite: query plans") struct QueryPlanTests {
  /// The steps of SQLite's plan for a statement, one a line.
  private func plan(of text: String) throws -> [String] {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.path)
    // Parameters stand for values of any kind: the plan doesn't depend on them.
    let bound = (1...5).reduce(text) { $0.replacing("?\($1)", with: "1") }
      .replacing("?", with: "1")
    return try store.connection.statement("EXPLAIN QUERY PLAN \(bound)").all { $0.text(3) }
  }

  @Test func `heads come from the front of an index, in its order`() throws {
    let plan = try plan(of: SnapshotReader.headsText)
    #expect(
      plan.first?.hasPrefix("SEARCH request USING INDEX request_queue (job=? AND queue=?") == true)
    #expect(plan.contains { $0.contains("SEARCH run USING COVERING INDEX run_by_key") })
    #expect(!plan.contains { $0.contains("TEMP B-TREE") || $0.contains("SCAN") })
  }

  @Test(arguments: [
    SnapshotReader.nextQueueText, SnapshotReader.frontText, SnapshotReader.liveRunsText,
    StoreChange.unstartedText, StoreChange.closeKeyText, StoreChange.removeKeyText,
    StoreChange.closeAllText, StoreChange.removeAllText, StoreChange.requestText,
    StoreChange.runText, StoreChange.endedIdentifierText, StoreChange.pruneText,
    StoreReader.changesText, StoreReader.jobHistoryText, StoreReader.endedRunText,
  ])
  func `no statement of a transition reads a table through`(_ text: String) throws {
    let plan = try plan(of: text)
    #expect(!plan.isEmpty)
    #expect(!plan.contains { $0.contains("SCAN") || $0.contains("TEMP B-TREE") }, "\(plan)")
  }

  @Test func `all history is read backwards from its end`() throws {
    let plan = try plan(of: StoreReader.historyText)
    #expect(plan.first == "SCAN history")
    #expect(!plan.contains { $0.contains("TEMP B-TREE") })
  }
}
