import BGRun
import JobModel
import SQLiteStore
import Testing

@Suite("bgrun cancel")
struct CancelCommandTests {
  private let bench: Bench
  private let runner: RunnerStandIn

  init() throws {
    bench = try Bench()
    runner = try RunnerStandIn(bench.openStore())
  }

  private func cancel(_ arguments: String...) -> Bench.Outcome {
    bench.run(["cancel", "--state", bench.state] + arguments)
  }

  @Test func `ends what is pending, asks what runs to stop, and says which`() throws {
    try runner.submit("com.example.mail", key: "a")
    try runner.claim("com.example.mail")
    try runner.submit("com.example.mail", key: "b")
    try runner.submit("com.example.mail", key: "c")
    #expect(
      cancel("com.example.mail")
        == Bench.Outcome(
          code: .done,
          output: """
            Cancelled 2 pending requests of com.example.mail.
            Asked run 1 of com.example.mail with key 'a' to stop.

            """, errors: ""))
    let live = try runner.store.snapshots(of: nil, headLimit: 1).flatMap(\.live)
    #expect(live.map(\.stopRequested) == [.userCancelled])
    let rows = try runner.store.history(of: nil, limit: nil)
    #expect(rows.map(\.outcome) == [.cancelled, .cancelled])
    #expect(rows.map(\.reason) == [.userCancelled, .userCancelled])
  }

  @Test func `with a key leaves the others alone`() throws {
    try runner.submit("com.example.mail", key: "a")
    try runner.submit("com.example.mail", key: "b")
    #expect(cancel("com.example.mail", "--key", "b").code == .done)
    #expect(try runner.store.pending(of: nil, limit: 10).map(\.key) == ["a"])
  }

  @Test func `a run's number stops that run only`() throws {
    for key in ["a", "b"] {
      try runner.submit("com.example.mail", key: key)
      try runner.claim("com.example.mail")
    }
    #expect(cancel("2").output == "Asked run 2 of com.example.mail with key 'b' to stop.\n")
    let live = try runner.store.snapshots(of: nil, headLimit: 1).flatMap(\.live)
    #expect(live.sorted { $0.run < $1.run }.map(\.stopRequested) == [nil, .userCancelled])
  }

  @Test func `nothing to cancel is said, and isn't done`() throws {
    try runner.submit("com.example.mail")
    try runner.end(runner.claim("com.example.mail"), .succeeded)
    let idle = cancel("com.example.mail")
    #expect(idle.code == .notDone)
    #expect(idle.errors == "bgrun: nothing of 'com.example.mail' is pending or running\n")
    #expect(
      cancel("1").errors == "bgrun: run 1 of 'com.example.mail' has ended already: succeeded\n")
    #expect(cancel("7").errors.hasPrefix("bgrun: there is no run 7 in "))
    #expect(
      cancel("com.example.mial").errors == """
        bgrun: no job is called 'com.example.mial'
        Did you mean 'com.example.mail'?

        """)
  }

  @Test func `a key doesn't go with a run`() {
    #expect(cancel("7", "--key", "a").code == .notDone)
  }

  @Test func `says that a dead runner's run ends with the next runner`() throws {
    try runner.submit("com.example.mail")
    try runner.claim("com.example.mail")
    let other = try bench.openStore()
    try runner.leave()
    _ = other
    #expect(
      cancel("1").output == """
        Asked run 1 of com.example.mail to stop.
        Its runner is gone: the next one records the end when it starts.

        """)
  }
}
