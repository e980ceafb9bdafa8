import BGRun
import JobModel
import SQLiteStore
import Testing

@Suite("bgrun status")
struct StatusCommandTests {
  private let bench: Bench

  init() throws {
    bench = try Bench()
    try bench.writeManifest()
  }

  @Test func `shows the manifest's jobs before anything has run`() {
    #expect(
      bench.run("status")
        == Bench.Outcome(
          code: .done,
          output: """
            JOB                        STATE     NEXT  LAST  WAITS FOR  DESCRIPTION
            com.example.mail.export.*  idle      -     -
            com.example.mail.fetch     idle      now   -     runner
            com.example.mail.off       disabled  -     -
            com.example.mail.vacuum    idle      -     -                Compact the mail database

            No runner is alive: nothing starts until 'bgrun run' does.

            """, errors: "Store: ~/.local/state/bgrun/com.example.mail (empty)\n"))
  }

  @Test func `shows what runs, what waits and how things ended`() throws {
    let runner = try bench.startRunner(isOnBattery: true)
    try runner.submit("com.example.mail.fetch", kind: .appRefresh)
    try runner.end(runner.claim("com.example.mail.fetch"), .failed, .handlerExited)
    try runner.propose(
      .recordInstants(
        InstantRecording(
          identifier: JobIdentifier("com.example.mail.fetch"), expectedAnchor: nil,
          newAnchor: Bench.start - .seconds(300),
          scheduleFingerprint: Schedule.every(.seconds(900)).fingerprint,
          recordedAt: Bench.start)))
    try runner.submit("com.example.mail.vacuum")
    try runner.submit("com.example.mail.export.a", kind: .continuedProcessing)
    let run = try runner.claim("com.example.mail.export.a")
    try runner.progress(run, 0.45)
    #expect(
      bench.run("status").output == """
        JOB                        STATE         NEXT       LAST                    WAITS FOR              DESCRIPTION
        com.example.mail.export.*  idle          -          -
        com.example.mail.export.a  running 45 %  -          -
        com.example.mail.fetch     idle          in 10 min  failed (handlerExited)
        com.example.mail.off       disabled      -          -
        com.example.mail.vacuum    pending       1 min ago  -                       requiresExternalPower  Compact the mail database

        """)
  }

  @Test func `prints the documented objects as JSON`() throws {
    let runner = try bench.startRunner(isOnBattery: true)
    try runner.submit("com.example.mail.vacuum")
    #expect(
      bench.run("status", "--json").output == """
        [
          {"identifier":"com.example.mail.export.*","kind":"continuedProcessing","state":"idle",\
        "next":null,"progress":null,"lastOutcome":null,"lastReason":null,"unmet":[],"description":null},
          {"identifier":"com.example.mail.fetch","kind":"appRefresh","state":"idle",\
        "next":"2026-11-18T11:06:40.000Z","progress":null,"lastOutcome":null,"lastReason":null,\
        "unmet":[],"description":null},
          {"identifier":"com.example.mail.off","kind":"processing","state":"disabled",\
        "next":null,"progress":null,"lastOutcome":null,"lastReason":null,"unmet":[],"description":null},
          {"identifier":"com.example.mail.vacuum","kind":"processing","state":"pending",\
        "next":"2026-11-18T11:05:40.000Z","progress":null,"lastOutcome":null,"lastReason":null,\
        "unmet":["requiresExternalPower"],\
        "description":"Compact the mail database"}
        ]

        """)
  }

  @Test func `each of several runners has its own conditions`() throws {
    let runner = try bench.startRunner(isOnBattery: true)
    let other = try bench.startRunner(processID: 4343)
    try runner.submit("com.example.mail.vacuum")
    let text = bench.run("status").output
    #expect(text.contains(" requiresExternalPower (process 4242)  Compact the mail database\n"))
    #expect(
      text.hasSuffix("\n\n2 runners are alive: process 4242 on box, process 4343 on box.\n"))
    let objects = bench.run("status", "--json").output
    #expect(
      objects.contains(
        """
        "unmet":[],"runners":[{"process":4242,"host":"box","unmet":["requiresExternalPower"]},\
        {"process":4343,"host":"box","unmet":[]}],"description":"Compact the mail database"}
        """))
    try other.leave()
    #expect(!bench.run("status").output.contains("4242"))
  }

  @Test func `EM1: who is alive only for the ends of its runs is no runner`() throws {
    let runner = try bench.startRunner(isOnBattery: true)
    try runner.submit("com.example.mail.export.a", kind: .continuedProcessing)
    try runner.claim("com.example.mail.export.a")
    try runner.store.retire(runner.owner)
    let text = bench.run("status").output
    #expect(text.contains(/com.example.mail.export.a +running/))
    #expect(text.hasSuffix("No runner is alive: nothing starts until 'bgrun run' does.\n"))
    let next = try bench.startRunner(processID: 4343)
    #expect(!bench.run("status").output.contains("alive"))
    let why = bench.run("why", "com.example.mail.fetch").output
    #expect(why.contains("process 4343 on box"))
    #expect(!why.contains("4242"))
    try next.leave()
  }

  @Test func `a gate that is shut for each of them is told once`() throws {
    let runner = try bench.startRunner(isOnBattery: true)
    let other = try bench.startRunner(isOnBattery: true, processID: 4343)
    try runner.submit("com.example.mail.vacuum")
    let text = bench.run("status").output
    try other.leave()
    #expect(text.contains("2 runners are alive"))
    #expect(text.contains(" requiresExternalPower  Compact"))
  }

  @Test func `--watch shows it again at each change, until Ctrl-C`() throws {
    let runner = try bench.startRunner()
    let outcome = try bench.follow(["status", "--watch", "--json"]) { person in
      [
        .init(seen: "vacuum") { try runner.submit("com.example.mail.vacuum") },
        .init(seen: "pending") { person.pressesInterrupt() },
      ]
    }
    #expect(outcome.code == .interrupted)
  }

  @Test func `--watch has nothing to watch before there is a store`() {
    let outcome = bench.run("status", "--watch")
    #expect(outcome.code == .notDone)
    #expect(outcome.errors.contains("there is nothing to watch"))
  }

  @Test func `a manifest with errors is shown, and nothing else`() throws {
    try bench.write("version: 2\njobs: []\n", to: "jobs/mail.yaml")
    let outcome = bench.run("status")
    #expect(outcome.code == .findings)
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("jobs/mail.yaml:1:10: error: "))
  }

  @Test func `without a manifest the store's own job set is used`() throws {
    let runner = try bench.startRunner()
    try runner.store.saveJobSet(
      StoredJobSet(
        digest: "1",
        sources: [.init(path: "/etc/mail.yaml", folder: "/etc", text: Bench.manifest)]))
    bench.environment["BGRUN_STATE"] = bench.mailState
    try bench.write("version: 1\njobs: []\n", to: "jobs/mail.yaml")
    let outcome = bench.run("status", "--json")
    #expect(outcome.output.split(separator: "\n").count == 6)
  }
}
