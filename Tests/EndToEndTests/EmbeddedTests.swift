import Foundation
import Glibc
import Testing

/// A server that runs jobs in its own process, seen by its output and, from outside, by `bgrun`.
@Suite("Embedded in a server")
struct EmbeddedTests {
  private let usual = """
      - {identifier: com.example.quick, kind: processing, schedule: {every: 7d}}
      - {identifier: com.example.asked, kind: processing}
      - identifier: com.example.program
        shell: "echo from a program"
        schedule: {every: 7d}

    """

  private func server(
    in place: Workplace, _ variation: String = "usual", environment: [String: String] = [:]
  ) throws -> RunningProgram {
    try place.start([variation], environment: environment, program: "EmbeddedFixture")
  }

  private func state(_ identifier: String, in place: Workplace) throws -> String? {
    let status = try place.bgrun("status", "--json")
    let pattern = try Regex("\"identifier\":\"\(identifier)\"[^}]*?\"state\":\"([a-z]+)\"")
    return status.output.firstMatch(of: pattern)?.output[1].substring.map(String.init)
  }

  @Test func `EM1: handlers run in the server, commands as programs, and bgrun sees both`() throws {
    let place = try Workplace(usual)
    let server = try server(in: place)
    try server.waitFor("event run-ended: com.example.quick: run")
    try server.waitFor("event run-ended: com.example.program: run")
    #expect(
      try place.history().map { $0["outcome"] as? String } == ["succeeded", "succeeded"])
    #expect(try place.history("com.example.quick").first?["progress"] as? Double == 0.5)
    let log = try place.bgrun("logs", "com.example.quick").output
    #expect(log.contains("info logged by com.example.quick []\n"))
    #expect(!log.contains("printed"), "what a handler prints is the server's own output")
    #expect(try place.bgrun("logs", "com.example.program").output == "from a program\n")
    #expect(try state("com.example.quick", in: place) == "idle")
    #expect(
      try place.bgrun("why", "com.example.quick").output.contains("com.example.quick is idle"))

    let submitted = try place.bgrun("submit", "com.example.quick", "--key", "x")
    #expect(submitted.status == 0)
    #expect(!submitted.output.contains("No runner is alive"))
    try server.waitFor("event run-ended: com.example.quick [x]: run 3 succeeded")
    server.send(SIGTERM)
    try server.waitFor("returned")
    let ended = try server.waitForEnd(seconds: 5)
    #expect(ended.status == 0)
    #expect(ended.output.contains("printed by the server for com.example.quick [x]\n"))
    #expect(ended.errors.isEmpty)
    let rest = try place.bgrun("submit", "com.example.quick")
    #expect(rest.output.contains("No runner is alive"), "it has left the store")
  }

  @Test func `CP1, CP8: a person starts a continued task in the server, and follows it`() throws {
    let place = try Workplace(
      "  - {identifier: com.example.export.*, kind: continuedProcessing, title: Export}\n",
      top: "version: 1\napp: com.example\n")
    let server = try server(in: place)
    try server.waitFor("event ready")
    let started = try place.bgrun("start", "com.example.export.pages")
    #expect(started.status == 0, "\(started)")
    let row = try #require(try place.history("com.example.export.pages").first)
    #expect(row["outcome"] as? String == "succeeded")
    #expect(row["progress"] as? Double == 1)
  }

  @Test func `SB8: the program and its handlers submit to the same store`() throws {
    let place = try Workplace(usual + "  - {identifier: com.example.asking, kind: processing}\n")
    let server = try server(in: place)
    try server.waitFor("event ready")
    server.send(SIGUSR1)
    try server.waitFor("submitted com.example.asked")
    try server.waitFor("event run-ended: com.example.asked: run")
    _ = try place.bgrun("submit", "com.example.asking")
    try server.waitFor("event run-ended: com.example.quick [asked]: run")
  }

  @Test func `EM1, PL14: a cancelled run() warns, waits and returns; what ran is pending`()
    throws
  {
    let place = try Workplace(
      """
        - {identifier: com.example.patient, kind: processing, schedule: {every: 7d}}
        - identifier: com.example.program
          shell: "exec sleep 71.25"
          schedule: {every: 7d}

      """)
    let server = try server(in: place)
    try server.waitFor("event run-started: com.example.patient")
    try server.waitFor("event run-started: com.example.program")
    #expect(try state("com.example.patient", in: place) == "running")
    server.send(SIGTERM)
    let ended = try server.waitForEnd(seconds: 10)
    #expect(ended.status == 0)
    #expect(ended.output.contains("cancelled for shutdown"))
    #expect(ended.output.hasSuffix("returned\n"))
    for row in try place.history() {
      #expect(row["outcome"] as? String == "interrupted")
      #expect(row["reason"] as? String == "shutdown")
    }
    #expect(try state("com.example.patient", in: place) == "pending")
    #expect(Workplace.processes(running: "sleep 71.25").isEmpty)
  }

  @Test func `LC9, CP5: a handler that throws has failed; a person cancels one that runs`() throws {
    let place = try Workplace(
      """
        - {identifier: com.example.throwing, kind: processing, schedule: {every: 7d}}
        - {identifier: com.example.patient, kind: processing, schedule: {every: 7d}}

      """)
    let server = try server(in: place)
    try server.waitFor("event run-ended: com.example.throwing: run")
    let failed = try #require(try place.history("com.example.throwing").first)
    #expect(failed["reason"] as? String == "handlerThrew")
    #expect(failed["detail"] as? String == "Refusal()")
    try server.waitFor("event run-started: com.example.patient")
    #expect(try place.bgrun("cancel", "com.example.patient").status == 0)
    try server.waitFor("cancelled for userCancelled")
    try server.waitFor("event run-ended: com.example.patient: run")
    let row = try #require(try place.history("com.example.patient").first)
    #expect(row["outcome"] as? String == "cancelled")
  }

  @Test func `DU2: runs of a killed server are interrupted by the next one, and run again`()
    throws
  {
    let place = try Workplace(
      """
        - identifier: com.example.patient
          kind: processing
          schedule: {every: 7d}
          retry: {initialDelay: 1s}
        - identifier: com.example.program
          shell: "exec sleep 72.5"
          schedule: {every: 7d}

      """)
    let first = try server(in: place)
    try first.waitFor("event run-started: com.example.patient")
    try first.waitFor("event run-started: com.example.program")
    first.send(SIGKILL)
    #expect(try first.waitForEnd().signal == SIGKILL)
    let second = try server(in: place)
    try second.waitFor("event run-started: com.example.patient")
    let lost = try place.history()
    #expect(lost.map { $0["outcome"] as? String } == ["interrupted", "interrupted"])
    #expect(lost.map { $0["reason"] as? String } == ["ownerLost", "ownerLost"])
  }

  @Test func `RG6: a job without a handler is an error of run() before anything starts`() throws {
    let place = try Workplace(
      usual + """
          - {identifier: com.example.unknown, kind: processing}
          - {identifier: com.example.strange, kind: appRefresh}
          - {identifier: com.example.off, kind: processing, enabled: false}

        """)
    let ended = try server(in: place).waitForEnd()
    #expect(
      ended.output
        == "failed, missingHandler: no handler is registered for com.example.strange, "
        + "com.example.unknown: register it before run(), or give the job a command or shell\n")
    #expect(ended.errors.isEmpty)
    #expect(try place.bgrun("history").output.contains("quick") == false)
  }

  @Test func `a manifest with errors is thrown with its diagnostics`() throws {
    let place = try Workplace("  - {identifier: com.example.quick, kind: procesing}\n")
    let ended = try server(in: place, "silent").waitForEnd()
    #expect(ended.output.hasPrefix("failed, manifest: the manifest can't be used:\n"))
    #expect(ended.output.contains("bgrun.yaml:3:"))
    #expect(ended.errors.isEmpty)
  }

  @Test func `a store that can't be used is thrown with its sentence`() throws {
    let place = try Workplace(usual)
    try place.write("state", "a file")
    let ended = try server(in: place).waitForEnd()
    #expect(ended.output.hasPrefix("failed, store: "))
    #expect(ended.output.contains("/state"))
  }

  @Test func `PL12, RG6: a reload that can't be used is refused, one that can is followed`() throws
  {
    let place = try Workplace(
      "  - {identifier: com.example.quick, kind: processing, schedule: {every: 7d}}\n")
    let server = try server(in: place)
    try server.waitFor("event run-ended: com.example.quick")
    server.send(SIGUSR1)
    try server.waitFor("refused, notPermitted: com.example.asked is not permitted")
    try place.write("bgrun.yaml", "version: 1\njobs:\n" + usual.replacing("asked", with: "unknown"))
    try server.waitFor(
      "event reload-refused: the manifest can't be used; the one in force stays "
        + "(no handler is registered for com.example.unknown)")
    #expect(try place.history("com.example.program").isEmpty)
    try place.write("bgrun.yaml", "version: 1\njobs:\n" + usual)
    try server.waitFor("event reloaded: the manifest was reloaded: 3 jobs")
    try server.waitFor("event run-ended: com.example.program: run")
    server.send(SIGUSR1)
    try server.waitFor("submitted com.example.asked")
    try server.waitFor("event run-ended: com.example.asked: run")
    try place.write(
      "bgrun.yaml", "version: 1\njobs:\n  - {identifier: com.example.quick, knd: x}\n")
    try server.waitFor("unknown key 'knd'")
  }

  @Test func `a server that starts its service again and again keeps nothing of the earlier ones`()
    throws
  {
    let place = try Workplace(usual)
    let server = try server(in: place, "often")
    try server.waitFor("ran 20 times")
    try server.waitFor("event ready")
    func count(_ folder: String) -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? .max
    }
    // One service has about 25 descriptors, 2 threads and a keeper.
    try Workplace.wait(until: { count("/proc/\(server.process)/fd") < 50 })
    try Workplace.wait(until: { count("/proc/\(server.process)/task") < 12 })
    try Workplace.wait(until: { Workplace.children(of: server.process).count == 1 })
    #expect(try place.bgrun("doctor").status == 0)
  }

  @Test(.disabled(if: ThreadSanitizer.isOn, ThreadSanitizer.reason))
  func `RG2: launch finishes at the first submission`() throws {
    let place = try Workplace(
      """
        - {identifier: com.example.quick, kind: processing}
        - {identifier: com.example.forgotten, kind: processing}
        - {identifier: com.example.continued, kind: continuedProcessing, title: Continued}

      """)
    let ended = try server(in: place, "late").waitForEnd()
    #expect(ended.output == "submitted\na continued one may come late\n")
    #expect(ended.signal != nil)
    #expect(
      ended.errors.contains(
        "All launch handlers must be registered before application finishes launching; "
          + "com.example.forgotten came later"))
  }
}
