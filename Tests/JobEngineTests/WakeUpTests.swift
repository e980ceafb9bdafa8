import JobEngine
import JobModel
import Testing

@Suite("The fewest wake-ups")
struct WakeUpTests {
  /// Minutes after midnight between which a job may start.
  private struct Window {
    var begin: Int
    var end: Int

    func holds(_ minute: Int) -> Bool { (begin...end).contains(minute) }
  }

  /// The size of the smallest set of instants with one in each window, found by trying every set. The
  /// ends of windows are enough: an instant can move to the next end without leaving a window.
  private func fewest(for windows: [Window]) -> Int {
    let ends = Set(windows.map(\.end)).sorted()
    return (0..<(1 << ends.count)).filter { choice in
      let chosen = ends.indices.filter { choice & (1 << $0) != 0 }.map { ends[$0] }
      return windows.allSatisfy { window in chosen.contains(where: window.holds) }
    }.map(\.nonzeroBitCount).min() ?? 0
  }

  private func runner(_ windows: [Window]) throws -> VirtualRunner {
    let jobs = windows.enumerated().map { index, window in
      job(
        JobIdentifier("com.example.job\(index)"),
        cron: "\(window.begin % 60) \(window.begin / 60) * * *"
      ) { $0.tolerance = .seconds(60 * (window.end - window.begin)) }
    }
    let runner = try VirtualRunner(jobs, limits: ConcurrencyLimits(total: 1_000))
    try runner.start()
    return runner
  }

  @Test(arguments: UInt64(0)..<200)
  func `PL6: wake-ups are the fewest that satisfy all windows`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let windows = (0..<Int.random(in: 1...10, using: &random)).map { _ in
      let begin = Int.random(in: 1..<1_000, using: &random)
      return Window(begin: begin, end: begin + Int.random(in: 0...400, using: &random))
    }
    let runner = try runner(windows)
    runner.run(for: .seconds(86_399))

    #expect(runner.wakeUps.count == fewest(for: windows))
    for (index, window) in windows.enumerated() {
      let starts = runner.launchSeconds(JobIdentifier("com.example.job\(index)"))
      #expect(starts.count == 1)
      #expect(
        starts.allSatisfy { (Double(60 * window.begin)...Double(60 * window.end)).contains($0) })
    }
  }

  @Test func `PL6: a tolerance of fifteen minutes saves most wake-ups of a hundred jobs`() throws {
    var random = SeededGenerator(seed: 1)
    let begins = (0..<100).map { _ in Int.random(in: 1..<1_400, using: &random) }
    func wakeUps(tolerance: Int) throws -> Int {
      let runner = try runner(begins.map { Window(begin: $0, end: $0 + tolerance) })
      runner.checksFixpoint = false
      runner.run(for: .seconds(86_399))
      #expect(runner.launched.count == 100)
      return runner.wakeUps.count
    }
    let (exact, tolerant) = (try wakeUps(tolerance: 0), try wakeUps(tolerance: 15))
    #expect(exact > 90)
    #expect(tolerant < 60)
  }
}
