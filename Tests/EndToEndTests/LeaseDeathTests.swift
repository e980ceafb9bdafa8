import Glibc
import Testing

/// Short runs are claimed ahead, many at a time: a killed runner has lost none of them.
@Suite("Runs that are claimed ahead, and runners that die")
struct LeaseDeathTests {
  private static let requests = 150

  @Test func `DU1, ST1: every request succeeds once, whenever the runner is killed`() throws {
    let place = try Workplace(
      """
        - identifier: com.example.recording
          kind: processing
          maxRunning: 2
          retry: {maxAttempts: 1, initialDelay: 50ms, jitter: false}
      """, top: "version: 1\nconcurrency: {total: 2}\n", program: "HandlerFixture")
    let record = ["FIXTURE_RECORD": "\(place.folder)/record"]
    let submitting = try place.start(
      ["submit", "com.example.recording"],
      behind: [
        "/bin/sh", "-c",
        """
        number=0
        while [ $number -lt \(Self.requests) ]; do
          "$0" "$@" --key $number >/dev/null || exit 1
          number=$((number + 1))
        done
        """,
      ])
    #expect(try submitting.waitForEnd(seconds: 120).status == 0)

    // Each runner is killed when it has come some steps further; nobody knows at what.
    var recorded: Set<String> = []
    for steps in [3, 6, 20, 11, 23, 1, 2, 30] {
      let left = (0..<Self.requests).map(String.init).filter { !recorded.contains($0) }
      guard let mark = left.dropFirst(steps).first else { break }
      let runner = try place.startRunner(environment: record)
      try runner.waitFor("recording [\(mark)]", seconds: 60)
      runner.send(SIGKILL)
      _ = try runner.waitForEnd()
      recorded = try check(place, earlier: recorded)
    }
    let last = try place.start(["run", "bgrun.yaml", "--drain"], environment: record)
    #expect(try last.waitForEnd(seconds: 120).status == 0)
    recorded = try check(place, earlier: recorded)
    #expect(recorded.count == Self.requests)
    let attempts = try place.history().compactMap { $0["attempt"] as? Int }
    #expect(Set(attempts) == [1], "an owner's death uses no attempt (LC9)")
  }

  /// The keys whose success is recorded, each once.
  ///
  /// - Parameter earlier: those recorded before the last start: nothing of them has run since.
  private func check(_ place: Workplace, earlier: Set<String>) throws -> Set<String> {
    let succeeded = try place.history()
      .filter { $0["outcome"] as? String == "succeeded" }.compactMap { $0["key"] as? String }
    #expect(Set(succeeded).count == succeeded.count, "a request has succeeded twice")
    let started = (place.read("record") ?? "").split(separator: "\n").map(String.init)
    #expect(Set(succeeded).isSuperset(of: earlier))
    let new = Set(succeeded).subtracting(earlier)
    #expect(new.isSubset(of: started), "a success of what never ran")
    try place.write("record", "")
    #expect(earlier.isDisjoint(with: started), "what had succeeded has run again")
    return Set(succeeded)
  }
}
