import BGRun
import JobModel
import LinuxSystem
import SQLiteStore
import Testing

@Suite("Following a run that makes no progress")
struct StallQuestionTests {
  private let bench: Bench
  private let runner: RunnerStandIn
  private let run: RunNumber
  private let question = "No progress for 30 s. Go on waiting? [Y/n] "

  init() throws {
    bench = try Bench()
    runner = try RunnerStandIn(bench.openStore())
    try runner.submit("com.example.export", kind: .continuedProcessing)
    run = try runner.claim("com.example.export")
  }

  private var thirtySecondsAgo: WallInstant { Bench.start - .seconds(30) }

  /// The signs that followers have put up.
  private func signs() throws -> [String] {
    try Files.list("\(bench.state)/foreground").map { name in
      name.split(separator: ".").dropLast().joined(separator: ".")
    }
  }

  @Test(arguments: ["", "y", "yes"])
  func `CP3: the person is asked, and going on waiting is the usual answer`(answer: String) throws {
    let (runner, run) = (runner, run)
    let outcome = try bench.follow(["attach", "1"], isTerminal: true) { person in
      [
        .init(seen: "has started.") { try runner.stall(run, since: thirtySecondsAgo) },
        .init(seen: question) { try person.types(answer) },
        .init(seen: "[Y/n] com.example.export") {
          #expect(try runner.live(run).stalledSince == nil)
          #expect(try runner.live(run).stopRequested == nil)
          try runner.end(run, .succeeded)
        },
      ]
    }
    #expect(outcome.code == .done)
  }

  @Test func `CP3: who doesn't wait lets the run expire as stalled`() throws {
    let (runner, run) = (runner, run)
    let outcome = try bench.follow(["attach", "1"], isTerminal: true) { person in
      [
        .init(seen: "has started.") { try runner.stall(run, since: thirtySecondsAgo) },
        .init(seen: question) { try person.types("n") },
        .init(seen: "asked to stop") {
          #expect(try runner.live(run).stopRequested == .progressStalled)
          try runner.end(run, .expired, .progressStalled)
        },
      ]
    }
    #expect(outcome.code == .findings)
  }

  @Test func `CP3: progress that comes meanwhile takes the question back`() throws {
    let (runner, run) = (runner, run)
    let outcome = try bench.follow(["attach", "1"], isTerminal: true) { _ in
      [
        .init(seen: "has started.") { try runner.stall(run, since: thirtySecondsAgo) },
        .init(seen: question) {
          try runner.progress(run, 0.5)
          try runner.stall(run, since: nil)
        },
        .init(seen: "50 %") { try runner.end(run, .succeeded) },
      ]
    }
    #expect(outcome.code == .done)
    #expect(outcome.output.contains(question + "\n"))
  }

  @Test func `CP5: Ctrl-C at the question asks whether to stop the task`() throws {
    let (runner, run) = (runner, run)
    let outcome = try bench.follow(["attach", "1"], isTerminal: true) { person in
      [
        .init(seen: "has started.") { try runner.stall(run, since: thirtySecondsAgo) },
        .init(seen: question) { person.pressesInterrupt() },
        .init(seen: "Stop the task? [y/N] ") { try person.types("y") },
        .init(seen: "asked to stop") {
          #expect(try runner.live(run).stopRequested == .userCancelled)
          try runner.end(run, .cancelled, .userCancelled)
        },
      ]
    }
    #expect(outcome.code == .interrupted)
  }

  @Test func `CP3: a script isn't asked, and puts up no sign`() throws {
    let (runner, run) = (runner, run)
    let outcome = try bench.follow(["attach", "1"]) { _ in
      [
        .init(seen: "has started.") {
          try runner.stall(run, since: thirtySecondsAgo)
          try runner.progress(run, 0.25)
        },
        .init(seen: "25 %") {
          #expect(try Files.status("\(bench.state)/foreground") == nil)
          try runner.end(run, .succeeded)
        },
      ]
    }
    #expect(!outcome.output.contains("Go on waiting"))
  }

  @Test func `CP9: a follower on a terminal puts up a sign while it follows`() throws {
    let (runner, run) = (runner, run)
    let outcome = try bench.follow(["attach", "1"], isTerminal: true) { _ in
      [
        .init(seen: "has started.") { try runner.progress(run, 0.25) },
        .init(seen: "25 %") {
          #expect(try signs() == ["1.answers"])
          try runner.end(run, .succeeded)
        },
      ]
    }
    #expect(outcome.code == .done)
    #expect(try signs() == [])
  }
}
