import JobEngine
import JobModel
import Testing

@Suite("run --once and --drain")
struct OnceTests {
  @Test func `PL20: once runs what is due, records it and finishes`() throws {
    let runner = try VirtualRunner([job(every: .seconds(3600))]) { $0.mode = .once }
    try runner.start()
    runner.run(for: .seconds(60))
    let rows = try runner.history()
    #expect(rows.map(\.outcome) == [.succeeded])
    #expect(runner.launched.count == 1)
    #expect(runner.summary?.succeeded == 1)
    #expect(runner.summary?.failed == 0)
  }
}
