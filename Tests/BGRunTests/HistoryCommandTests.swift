import BGRun
import JobModel
import SQLiteStore
import Testing

@Suite("bgrun history")
struct HistoryCommandTests {
  private let bench: Bench

  init() throws {
    bench = try Bench()
  }

  /// One run that failed, and instants that were skipped.
  private func fill(_ store: SQLiteStore) throws {
    let start = Bench.start - .seconds(60)
    let mail = JobIdentifier("com.example.mail")
    let owner = try store.join(host: "box", processID: 1, at: start)
    var submission = Submission(identifier: mail, kind: .processing, submittedAt: start)
    submission.key = "inbox"
    guard case .applied(.submitted(let request, _))? = verdict(store, .submit(submission)),
      case .applied(.claimed(let run))? = verdict(
        store,
        .claim(
          Claim(
            request: request, identifier: mail, owner: owner.fence,
            startedAt: start + .seconds(2))))
    else {
      Issue.record("the run wasn't claimed")
      return
    }
    var ending = RunEnding()
    ending.exitStatus = 7
    ending.peakMemory = 4_194_304
    ending.cpuTime = .milliseconds(250)
    _ = verdict(
      store,
      .end(
        RunEnd(
          run: run, owner: owner.fence, endedAt: start + .milliseconds(3500), outcome: .failed,
          reason: .handlerExited, ending: ending, next: .final)))
    var recording = InstantRecording(
      identifier: JobIdentifier("com.example.backup"), expectedAnchor: nil,
      newAnchor: start + .seconds(30), scheduleFingerprint: "every",
      recordedAt: start + .seconds(40))
    recording.skipped = SkippedInstants(count: 12, reason: .missed, last: start + .seconds(30))
    _ = verdict(store, .recordInstants(recording))
  }

  private func verdict(_ store: SQLiteStore, _ transition: Transition) -> Verdict? {
    store.commit([transition], at: Bench.start, headLimit: 1).verdicts.first
  }

  @Test func `nothing that a job or a program told moves the cursor or breaks the table`() throws {
    let runner = try RunnerStandIn(bench.openStore())
    let key = "a\u{1B}[2Jb"
    try runner.submit("com.example.mail", key: key)
    #expect(
      bench.run("why", "com.example.mail", "--state", bench.state).output
        .contains(" with key 'a [2Jb' of "))
    let run = try runner.claim("com.example.mail")
    #expect(
      bench.run("cancel", "1", "--state", bench.state).output.contains(" with key 'a [2Jb' to stop")
    )
    try runner.end(run, .failed, .handlerThrew, detail: "no feed\n\u{1B}]0;x\u{7}")
    let table = bench.run("history").output
    #expect(table.split(separator: "\n").count == 2)
    #expect(table.contains(" a [2Jb "))
    #expect(table.contains("handlerThrew: no feed  ]0;x"))
    #expect(!table.contains("\u{1B}"))
    #expect(
      !bench.run("attach", "1").output.contains { $0 == "\u{1B}" || $0 == "\u{7}" })
  }

  @Test func `shows runs and rows without a run, newest first`() throws {
    try fill(bench.openStore())
    let outcome = bench.run("history")
    #expect(outcome.code == .done)
    #expect(outcome.errors == "Store: ~/.local/state/bgrun/default\n")
    #expect(
      outcome.output == """
        RUN  JOB                 KEY    STARTED                      TOOK  OUTCOME       WHY
          -  com.example.backup         2026-11-18 11:06:20 +00:00      -  skipped × 12  missed
          1  com.example.mail    inbox  2026-11-18 11:05:42 +00:00  1.5 s  failed        handlerExited: exit status 7

        """)
  }

  @Test func `prints the documented objects as JSON`() throws {
    try fill(bench.openStore())
    let outcome = bench.run("history", "com.example.mail", "--json")
    #expect(
      outcome.output == """
        [
          {"run":1,"identifier":"com.example.mail","key":"inbox","attempt":1,\
        "submittedAt":"2026-11-18T11:05:40.000Z","scheduledAt":"2026-11-18T11:05:40.000Z",\
        "startedAt":"2026-11-18T11:05:42.000Z","endedAt":"2026-11-18T11:05:43.500Z","lateness":2,\
        "peakMemory":4194304,"cpuTime":0.25,"outcome":"failed","reason":"handlerExited",\
        "detail":null,"count":1,"exitStatus":7,"signal":null,"progress":null,\
        "output":"~/.local/state/bgrun/default/output/com.example.mail/1.log","host":"box"}
        ]

        """)
  }

  @Test func `shows at most as many rows as it is asked for`() throws {
    try fill(bench.openStore())
    #expect(bench.run("history", "--limit", "1", "--json").output.split(separator: "\n").count == 3)
  }

  @Test func `says that a store is empty`() throws {
    _ = try bench.openStore()
    #expect(
      bench.run("history")
        == Bench.Outcome(
          code: .done, output: "Nothing has ended yet.\n",
          errors: "Store: ~/.local/state/bgrun/default (empty)\n"))
    #expect(bench.run("history", "--json").output == "[]\n")
  }

  @Test func `names the nearest identifier for an unknown one`() throws {
    try fill(bench.openStore())
    let outcome = bench.run("history", "com.exmaple.mail")
    #expect(outcome.code == .notDone)
    #expect(
      outcome.errors == """
        Store: ~/.local/state/bgrun/default
        bgrun: no job is called 'com.exmaple.mail'
        Did you mean 'com.example.mail'?

        """)
  }
}
