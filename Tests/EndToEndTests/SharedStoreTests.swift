import Foundation
import Testing

/// What other processes do to a running runner's store, and what several runners do together.
@Suite("One store, several processes")
struct SharedStoreTests {
  @Test func `DU3: two runners on one store run each request once`() throws {
    let place = try Workplace(
      """
        - identifier: com.example.keyed
          shell: "echo $BGRUN_KEY >> log"
          maxRunning: 2
      """)
    let first = try place.startRunner("--log-format", "json")
    try first.waitFor("\"event\":\"ready\"")
    let second = try place.startRunner("--log-format", "json")
    try second.waitFor("\"event\":\"ready\"")
    for key in 1...30 {
      #expect(try place.bgrun("submit", "com.example.keyed", "--key", "k\(key)").status == 0)
    }
    let drained = try place.bgrun("run", "bgrun.yaml", "--drain")
    #expect(drained.status == 0, "\(drained.errors)")
    for runner in [first, second] {
      runner.send(SIGTERM)
      let finished = try runner.waitForEnd()
      #expect(finished.status == 0)
      #expect(!finished.errors.contains("locked"))
    }
    let keys = try #require(place.read("log")).split(separator: "\n").map(String.init)
    #expect(keys.sorted() == (1...30).map { "k\($0)" }.sorted())
  }

  @Test func `SB1: a second submission replaces the first, which is recorded`() throws {
    let place = try Workplace(
      """
        - identifier: com.example.twice
          shell: "echo $BGRUN_WITH"
      """)
    #expect(try place.bgrun("submit", "com.example.twice", "--with", "n=1").status == 0)
    #expect(try place.bgrun("submit", "com.example.twice", "--with", "n=2").status == 0)
    #expect(try place.bgrun("run", "bgrun.yaml", "--once").status == 0)
    let rows = try place.history()
    #expect(rows.map { $0["outcome"] as? String } == ["succeeded", "cancelled"])
    #expect(rows.last?["reason"] as? String == "replaced")
    let logs = try place.bgrun("logs", "com.example.twice")
    #expect(logs.output.contains("\"n\":\"2\"") || logs.output.contains("\"n\":2"))
  }

  @Test func `DU3: a runner notices a submission, a cancellation and a switch at once`() throws {
    let place = try Workplace(
      """
        - identifier: com.example.asked
          shell: "exec sleep 65.25"
          expirationGrace: 1s
      """)
    let runner = try place.startRunner("--log-format", "json")
    try runner.waitFor("\"event\":\"ready\"")
    #expect(try place.bgrun("submit", "com.example.asked").status == 0)
    try runner.waitFor("run-started")
    #expect(try place.bgrun("status").output.contains("running"))
    let cancelled = try place.bgrun("cancel", "com.example.asked")
    #expect(cancelled.status == 0, "\(cancelled.errors)")
    try runner.waitFor("\"outcome\":\"cancelled\"")
    let row = try #require(try place.history().first)
    #expect(row["reason"] as? String == "userCancelled")

    #expect(try place.bgrun("disable", "com.example.asked").status == 0)
    let refused = try place.bgrun("submit", "com.example.asked")
    #expect(refused.status == 2)
    #expect(refused.errors.contains("unavailable"))
    #expect(try place.bgrun("enable", "com.example.asked").status == 0)
    runner.send(SIGTERM)
    #expect(try runner.waitForEnd().status == 0)
  }

  @Test func `PL12: a manifest that is saved while a runner starts is followed`() throws {
    let place = try Workplace(
      """
        - identifier: com.example.before
          command: ["true"]
      """)
    #expect(try place.bgrun("run", "bgrun.yaml", "--once").status == 0)
    // Whoever writes holds a runner up at its join, when it has read its manifest and watches nothing.
    try #require(mkfifo("\(place.folder)/end", 0o600) == 0)
    let writer = try RunningProgram(
      [
        "/bin/sh", "-c",
        "{ echo 'BEGIN IMMEDIATE;'; echo '.shell echo held'; cat end; } | sqlite3 state/store.db",
      ], environment: ["PATH": "/usr/bin:/bin"], in: place.folder)
    try writer.waitFor("held")
    let runner = try place.startRunner("--log-format", "json")
    let descriptors = "/proc/\(runner.process)/fd"
    try Workplace.wait(until: {
      let numbers = (try? FileManager.default.contentsOfDirectory(atPath: descriptors)) ?? []
      return numbers.contains {
        let path = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "\(descriptors)/\($0)")
        return path?.hasSuffix("/store.db") == true
      }
    })
    try place.write(
      "bgrun.yaml", "version: 1\njobs:\n  - identifier: com.example.after\n    command: ['true']\n")
    try place.write("end", "COMMIT;\n", inPlace: true)
    try runner.waitFor("\"event\":\"reloaded\"")
    #expect(try place.bgrun("submit", "com.example.after").status == 0)
    try runner.waitFor("\"outcome\":\"succeeded\"")
    runner.send(SIGTERM)
    #expect(try runner.waitForEnd().status == 0)
    #expect(try writer.waitForEnd().status == 0)
  }

  @Test func `a hundred short runs leave no defunct child and no open descriptor`() throws {
    let place = try Workplace(
      """
        - identifier: com.example.brief
          command: ["true"]
      """)
    let runner = try place.startRunner("--log-format", "json")
    try runner.waitFor("\"event\":\"ready\"")
    func descriptors() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/\(runner.process)/fd").count
    }
    var counts: [Int] = []
    for round in 1...100 {
      #expect(try place.bgrun("submit", "com.example.brief").status == 0)
      try runner.waitFor("\"run\":\(round),\"attempt\":1,\"outcome\":\"succeeded\"")
      if round == 10 || round == 100 { counts.append(try descriptors()) }
    }
    #expect(counts[0] == counts[1])
    let defunct = Workplace.children(of: runner.process).filter { $0.state == "Z" }
    #expect(defunct.isEmpty)
    runner.send(SIGTERM)
    #expect(try runner.waitForEnd().status == 0)
  }

  @Test func `a runner takes few of the 128 instances of inotify that an account may have`() throws
  {
    let place = try Workplace(
      """
        - identifier: com.example.brief
          command: ["true"]
      """)
    let runner = try place.startRunner("--log-format", "json")
    try runner.waitFor("\"event\":\"ready\"")
    let descriptors = "/proc/\(runner.process)/fd"
    let instances = try FileManager.default.contentsOfDirectory(atPath: descriptors).count {
      let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)")
      return path == "anon_inode:inotify"
    }
    #expect(instances == 3)
  }
}
