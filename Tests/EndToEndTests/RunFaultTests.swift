import Foundation
import Testing

/// What the program says when it can't do what it was asked.
@Suite("Bad input and faults of run")
struct RunFaultTests {
  @Test func `an invalid manifest gives diagnostics, exit 1, and nothing runs`() throws {
    let place = try Workplace(
      """
        - identifier: com.example.fine
          shell: "touch ran"
          schedule: {every: 1h}
        - identifier: com.example.broken
          shell: "touch ran"
          netwrok: any
      """)
    let finished = try place.bgrun("run", "bgrun.yaml", "--once")
    #expect(finished.status == 1)
    #expect(finished.errors.contains("unknown key 'netwrok'"))
    #expect(place.read("ran") == nil)
  }

  @Test func `a missing manifest is exit 2 and named`() throws {
    let place = try Workplace()
    let finished = try place.bgrun("run", "nowhere.yaml")
    #expect(finished.status == 2)
    #expect(finished.errors.contains("nowhere.yaml"))
  }

  @Test func `a missing program is a warning of validate and a reason in its row`() throws {
    let place = try Workplace(
      """
        - identifier: com.example.gone
          command: [no-such-program-anywhere]
          schedule: {every: 1h}
      """)
    let validated = try place.bgrun("validate", "bgrun.yaml")
    #expect(validated.status == 0)
    #expect((validated.output + validated.errors).contains("[missing-command]"))
    #expect(try place.bgrun("run", "bgrun.yaml", "--once").status == 1)
    let row = try #require(try place.history().first)
    #expect(row["outcome"] as? String == "failed")
    #expect(row["reason"] as? String == "launchFailed")
    #expect((row["detail"] as? String)?.contains("no-such-program-anywhere") == true)
  }

  @Test func `a state directory that can't be made is one sentence and exit 2`() throws {
    let place = try Workplace(
      """
        - identifier: com.example.any
          command: ["true"]
      """)
    try place.write("file", "")
    let finished = try place.bgrun(
      "run", "bgrun.yaml", "--once", "--state", "\(place.folder)/file/state")
    #expect(finished.status == 2)
    #expect(finished.errors.contains("\(place.folder)/file/state"))
    #expect(finished.errors.split(separator: "\n").count == 1)
  }

  @Test func `PL12: SIGHUP reloads; an invalid manifest is reported and the old stays`() throws {
    let place = try Workplace(
      """
        - identifier: com.example.before
          shell: "echo ran"
      """)
    let runner = try place.startRunner("--log-format", "json")
    try runner.waitFor("\"event\":\"ready\"")
    try place.write("bgrun.yaml", "version: 1\njobs:\n  - identifier: nonsense\n")
    try runner.waitFor("reload-refused")
    #expect(try place.bgrun("submit", "com.example.before").status != 70)
    try place.write(
      "bgrun.yaml",
      """
      version: 1
      jobs:
        - identifier: com.example.after
          shell: "echo ran"
      """)
    runner.send(SIGHUP)
    try runner.waitFor("\"event\":\"reloaded\"")
    #expect(try place.bgrun("submit", "com.example.after").status == 0)
    try runner.waitFor("\"outcome\":\"succeeded\"")
    runner.send(SIGTERM)
    #expect(try runner.waitForEnd().status == 0)
  }

  @Test func `PL12: what is wrong with a saved manifest stays on a terminal, above what runs`()
    throws
  {
    let place = try Workplace(
      """
        - identifier: com.example.long
          shell: "exec sleep 61.75"
          expirationGrace: 100ms
      """)
    let runner = try place.start(
      ["run", "bgrun.yaml", "--now", "com.example.long"], environment: ["TERM": "xterm"],
      on: TestTerminal())
    try runner.waitFor("run 1")
    try place.write("bgrun.yaml", "version: 1\njobs:\n  - identifier: nonsense\n")
    try runner.waitFor("the one in force stays")
    let text = runner.outputSoFar
    let diagnostics = try #require(text.range(of: "bgrun.yaml:3:"))
    let refusal = try #require(text.range(of: "the manifest can't be used"))
    #expect(!text[diagnostics.lowerBound..<refusal.lowerBound].contains("\u{1B}[J"))
    let before = text[..<diagnostics.lowerBound]
    let live = try #require(before.range(of: "▸ com.example.long", options: .backwards))
    #expect(before[live.upperBound...].contains("\u{1B}[J"), "the live line makes room")
    runner.send(SIGTERM)
    #expect(try runner.waitForEnd().status == 0)
  }

  @Test func `PL20: --once prints what waits with its gate, and fails only when a run failed`()
    throws
  {
    let place = try Workplace(
      """
        - identifier: com.example.waits
          command: [echo, hello]
          requiresExternalPower: true
          schedule: {every: 1h}
        - identifier: com.example.fails
          command: ["false"]
          schedule: {every: 1h}
          retry: {maxAttempts: 2, initialDelay: 1h}
      """)
    try place.setExternalPower(false)
    let finished = try place.bgrun("run", "bgrun.yaml", "--once")
    #expect(finished.status == 1)
    #expect(finished.errors.contains("com.example.waits"))
    #expect(finished.errors.contains("requiresExternalPower"))
    #expect(finished.errors.contains("retryDelay"))
  }

  @Test func `DU5: output is captured and capped`() throws {
    let place = try Workplace(
      """
        - identifier: com.example.loud
          shell: "echo first line; head -c 300000 /dev/zero | tr '\\\\0' x; echo; echo last line"
          output: {maxSize: 10KiB}
          schedule: {every: 1h}
      """)
    #expect(try place.bgrun("run", "bgrun.yaml", "--once").status == 0)
    let logs = try place.bgrun("logs", "com.example.loud")
    #expect(logs.status == 0)
    #expect(logs.output.contains("last line"))
    #expect(logs.output.utf8.count < 12_000)
  }
}
