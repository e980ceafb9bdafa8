import JobManifest
import Testing

@Suite("Safe fixes are written, and nothing else")
struct FixTests {
  private func fixed(_ text: String) -> (text: String, count: Int) {
    let plan = FixPlan([TestMachine.source(text)], loader: TestMachine.loader)
    return (String(decoding: plan.sources[0].bytes, as: UTF8.self), plan.counts[0])
  }

  private func job(_ lines: String...) -> String {
    "version: 1\njobs:\n  - identifier: com.example.a   # kept\n"
      + lines.map { "    \($0)\n" }.joined()
  }

  @Test(arguments: [
    ("requireExternalPower:  true # why", "requiresExternalPower:  true # why"),
    ("requiresExternalPower: yes", "requiresExternalPower: true"),
    ("requiresExternalPower: \"false\"", "requiresExternalPower: false"),
    ("timeLimit: 90", "timeLimit: 90s"),
    ("timeLimit: 1h 30m", "timeLimit: 1h30m"),
    ("network: unmeterd", "network: unmetered"),
    ("maxRunning: '4'", "maxRunning: 4"),
    (
      "schedule: {cron: 0 3 * * *, timeZone: Europe/Madird}",
      "schedule: {cron: 0 3 * * *, timeZone: Europe/Madrid}"
    ),
  ])
  func `what needs no decision is mended`(wrong: String, right: String) {
    let found = fixed(job("command: [\"true\"]", wrong))
    #expect(found.text == job("command: [\"true\"]", right))
    #expect(found.count == 1)
    #expect(fixed(found.text).count == 0, "a second time there is nothing to do")
  }

  @Test(arguments: [
    "network: wifi", "network: none", "timeLimit: 1:30", "timeLimit: -5m", "memoryLimit: 2G",
    "colour: red", "timeLimit: soon",
  ])
  func `what its author must decide is left alone`(line: String) {
    let text = job("command: [\"true\"]", line)
    #expect(fixed(text) == (text, 0))
  }

  @Test func `several mistakes are mended at once, what they hide too, and the layout stays`() {
    let wrong =
      "\u{FEFF}version: 1\r\njobs:\r\n  - identifier: com.example.a\t# tab\r\n"
      + "    comand: [\"true\"] # 📬\r\n    requireIdle: 90\r\n\r\n    timeLimt:   30\r\n"
    let right = wrong.replacing("comand", with: "command")
      .replacing("requireIdle: 90", with: "requiresIdle: 90s")
      .replacing("timeLimt:   30", with: "timeLimit:   30s")
    let found = fixed(wrong)
    #expect(found.text == right)
    #expect(found.count == 5)
  }

  @Test func `a spelling that would stand twice is left to its author`() {
    let text = job("command: [\"true\"]", "comand: [\"true\"]", "timeLimit: 90")
    let found = fixed(text)
    #expect(found.text == text.replacing("timeLimit: 90", with: "timeLimit: 90s"))
    #expect(found.count == 1)
  }

  @Test func `the places of a UTF-16 file aren't those of its text, so it is left alone`() {
    let bytes: [UInt8] =
      [0xFF, 0xFE]
      + job("command: [\"true\"]", "timeLimit: 90").utf16.flatMap {
        [UInt8($0 & 0xFF), UInt8($0 >> 8)]
      }
    let source = ManifestSource(path: "a.yaml", folder: "/srv", bytes: bytes)
    #expect(FixPlan([source], loader: TestMachine.loader).sources[0].bytes == bytes)
  }

  @Test(arguments: Fixtures.names(in: "single", ending: ".yaml").filter { $0 != "deep-10k" })
  func `the fixes of any fixture leave fewer mistakes and are idempotent`(name: String) {
    let source = ManifestSource(
      path: "a.yaml", folder: "/srv", bytes: Fixtures.bytes("single/\(name).yaml"))
    let loader = TestMachine.loader
    let plan = FixPlan([source], loader: loader)
    let again = FixPlan(plan.sources, loader: loader)
    #expect(again.counts == [0])
    let before = loader.check(sources: [source]).diagnostics
    let after = loader.check(sources: plan.sources).diagnostics
    #expect(plan.counts[0] == 0 ? before.count == after.count : after.count <= before.count)
  }

  @Test func `a difference is one that patch reads`() {
    let old = (1...20).map { "line \($0)\n" }.joined()
    let new = old.replacing("line 3\n", with: "LINE 3\n").replacing("line 18\n", with: "LINE 18\n")
    #expect(
      UnifiedDifference(path: "a.yaml", from: old, to: new).text == """
        --- a/a.yaml
        +++ b/a.yaml
        @@ -1,6 +1,6 @@
         line 1
         line 2
        -line 3
        +LINE 3
         line 4
         line 5
         line 6
        @@ -15,6 +15,6 @@
         line 15
         line 16
         line 17
        -line 18
        +LINE 18
         line 19
         line 20

        """)
    #expect(UnifiedDifference(path: "a.yaml", from: old, to: old).text == "")
    #expect(
      UnifiedDifference(path: "a", from: "x: 1", to: "x: 2").text == """
        --- a/a
        +++ b/a
        @@ -1,1 +1,1 @@
        -x: 1
        \\ No newline at end of file
        +x: 2
        \\ No newline at end of file

        """)
  }
}
