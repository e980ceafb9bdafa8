import JobEngine
import JobModel
import Testing

@testable import BGRun

@Suite("What a run shows")
struct RunShowingTests {
  private let identifier = JobIdentifier("com.example.export")

  private func now(_ seconds: Int64) -> Now {
    Now(
      wall: WallInstant(seconds: 1_800_000_000 + seconds),
      monotonic: MonotonicInstant(nanoseconds: seconds * 1_000_000_000))
  }

  private var ended: Notice {
    var ending = RunEnding()
    ending.exitStatus = 7
    return .runEnded(
      Notice.EndedRun(
        run: RunNumber(4), identifier: identifier, key: "", attempt: 1, outcome: .failed,
        reason: .handlerExited, detail: "exit status 7", took: .milliseconds(1500),
        ending: ending,
        next: .again(
          notBefore: WallInstant(seconds: 1_800_000_030), floor: .retryDelay, attempt: 2,
          returnsInRow: 0)))
  }

  @Test func `a live line shows name, time, bar and words, and goes with the run`() {
    var display = LiveDisplay(width: 120, hasColour: false, zone: .utc)
    _ = display.show(.runStarted(RunNumber(4), identifier, key: "", attempt: 1), at: now(0))
    #expect(display.isLive)
    _ = display.show(
      .runProgressed(
        RunNumber(4), ProgressReport(fraction: 0.25, title: "Exporting", subtitle: "image 1")),
      at: now(1))
    let drawn = display.redraw(at: now(65))
    #expect(
      drawn.hasSuffix(
        "▸ com.example.export  run 4  1:05  [#####···············]  25 %  Exporting: image 1\n"))
    let last = display.show(ended, at: now(66))
    #expect(last.contains("✗ com.example.export: run 4 failed (handlerExited, exit status 7)"))
    #expect(!display.isLive)
  }

  @Test func `a live line never wraps, whatever a job calls itself`() {
    var display = LiveDisplay(width: 40, hasColour: false, zone: .utc)
    _ = display.show(.runStarted(RunNumber(1), identifier, key: "", attempt: 1), at: now(0))
    _ = display.show(
      .runProgressed(
        RunNumber(1),
        ProgressReport(fraction: .nan, title: String(repeating: "long\n", count: 50))),
      at: now(0))
    let line = display.redraw(at: now(1)).split(separator: "\n")
    #expect(line.count == 1 || line.dropFirst().allSatisfy { $0.count < 40 })
  }

  @Test func `no text of a job moves the cursor or changes the terminal`() {
    var display = LiveDisplay(width: 200, hasColour: false, zone: .utc)
    let run = RunNumber(1)
    _ = display.show(
      .runStarted(run, identifier, key: "a\u{1B}[2Jb", attempt: 1), at: now(0))
    _ = display.show(
      .runProgressed(
        run, ProgressReport(title: "Ex\u{1B}]0;port\u{07}", subtitle: "page\r1\u{9B}K")),
      at: now(0))
    let line = display.redraw(at: now(1)).split(separator: "\u{1B}[J").last ?? ""
    #expect(line == "▸ com.example.export [a [2Jb]  run 1  0:01  Ex ]0;port : page 1 K\n")
    let last = display.show(
      .runEnded(
        Notice.EndedRun(
          run: run, identifier: identifier, key: "", attempt: 1, outcome: .failed,
          reason: .handlerThrew, detail: "no\u{1B}[31m feed", took: .milliseconds(1500),
          ending: RunEnding(), next: .final)), at: now(2))
    #expect(last.contains("(handlerThrew, no [31m feed)"))
  }

  @Test func `nor does a record from outside the engine, whatever a manifest or a path holds`() {
    var display = LiveDisplay(width: 200, hasColour: false, zone: .utc)
    #expect(
      display.say("no \u{1B}[2Jhandler\nfor a\u{9B}K", at: now(0)) == "no  [2Jhandler for a K\n")
    let writer = LogWriter(format: .text, isJournal: true, zone: .utc)
    let record = LogRecord(level: .error, event: "reload-refused", message: "no \u{1B}[2Jhandler")
      .with("detail", "\u{1B}]0;a\u{7}")
    #expect(
      writer.line(record, at: now(0).wall)
        == "<3>no  [2Jhandler [reload-refused detail=\" ]0;a \"]\n"
    )
  }

  @Test func `progress is logged at most once a second and never twice, its end at once`() {
    var pacing = LinePacing()
    func isLogged(_ milliseconds: Int64, _ report: ProgressReport) -> Bool {
      pacing.isWorthALine(
        .runProgressed(RunNumber(1), report),
        at: MonotonicInstant(nanoseconds: milliseconds * 1_000_000))
    }
    #expect(isLogged(0, ProgressReport(fraction: 0.5, title: "Exporting")))
    #expect(!isLogged(100, ProgressReport(fraction: 0.6)))
    #expect(isLogged(200, ProgressReport(fraction: 1)))
    #expect(!isLogged(300, ProgressReport(fraction: 1)))
    #expect(!isLogged(5000, ProgressReport(fraction: 1, title: "Exporting")))
    #expect(isLogged(5001, ProgressReport(subtitle: "closing")))
    #expect(!isLogged(5002, ProgressReport(fraction: 1, subtitle: "closed")))
    #expect(isLogged(7000, ProgressReport(fraction: 0.9)))
    #expect(isLogged(7001, ProgressReport(fraction: 1)))
  }

  @Test(arguments: [
    (0.0, "[····]   0 %"), (0.5, "[##··]  50 %"), (1.0, "[####] 100 %"), (7.0, "[####] 100 %"),
    (-1.0, "[····]   0 %"), (.nan, "[····]   0 %"),
  ])
  func `a bar is as full as the progress`(fraction: Double, bar: String) {
    #expect(LiveDisplay.bar(fraction, cells: 4) == bar)
  }

  @Test func `a text line has the time, the level, the words and the fields`() {
    let writer = LogWriter(format: .text, isJournal: false, zone: .utc)
    #expect(
      writer.line(NoticeWording.record(of: ended, zone: .utc), at: now(0).wall)
        == "2027-01-15T08:00:00.000Z error: com.example.export: run 4 failed (handlerExited, "
        + "exit status 7) after 1s500ms; pending again, attempt 2 not before "
        + "2027-01-15T08:00:30Z [run-ended identifier=com.example.export run=4 attempt=1 "
        + "outcome=failed reason=handlerExited detail=\"exit status 7\" exitStatus=7 "
        + "seconds=1.5 retryAt=2027-01-15T08:00:30Z]\n")
  }

  @Test func `under the journal a line begins with its priority and has no time`() {
    let writer = LogWriter(format: .text, isJournal: true, zone: .utc)
    let record = LogRecord(level: .notice, event: "stopping", message: "stopping\nat once")
    #expect(writer.line(record, at: now(0).wall) == "<5>stopping at once [stopping]\n")
  }

  @Test func `a JSON line is one object with the same fields`() throws {
    let writer = LogWriter(format: .json, isJournal: false, zone: .utc)
    let line = writer.line(NoticeWording.record(of: ended, zone: .utc), at: now(0).wall)
    #expect(line.hasPrefix("{\"time\":\"2027-01-15T08:00:00.000Z\",\"level\":\"error\","))
    #expect(line.contains("\"exitStatus\":7"))
    #expect(line.split(separator: "\n").count == 1)
  }

  @Test func `LC12: what simulates an expiration is YES, NO or seconds`() {
    #expect(SimulatedExpiration.read("YES") == .success(.seconds(5)))
    #expect(SimulatedExpiration.read("2.5") == .success(.milliseconds(2500)))
    #expect(SimulatedExpiration.read("no") == .success(nil))
    #expect(SimulatedExpiration.read(nil) == .success(nil))
    for text in ["", "soon", "-1", "nan"] where !text.isEmpty {
      #expect(throws: (any Error).self) { try SimulatedExpiration.read(text).get() }
    }
  }
}
