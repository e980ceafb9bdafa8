import Glibc
import Testing

/// What a person at a terminal has of a continued task, with commands and with handlers in workers.
@Suite("Continued tasks at a terminal")
struct ContinuedTests {
  enum Action: CaseIterable {
    case command, handler
  }

  /// A place with a continued job `com.example.watched` that tells of a quarter and then of nothing.
  private func place(
    _ action: Action, stallAfter: String = "1h", _ more: String = ""
  ) throws -> Workplace {
    let place = try Workplace(
      program: action == .handler ? "HandlerFixture" : "bgrun")
    let what =
      switch action {
      case .handler: ""
      case .command:
        """
            shell: |
              "\(place.program)" notify --title 'Exporting palettes' --status 'page 1' --progress 1/4
              exec sleep 4646

        """
      }
    try place.write(
      "bgrun.yaml",
      """
      version: 1
      app: com.example
      jobs:
        - identifier: com.example.watched
          kind: continuedProcessing
          title: Exporting
          subtitle: Preparing
          progress: {stallAfter: \(stallAfter)}
          expirationGrace: 5s
      \(what)\(more)
      """)
    return place
  }

  private func start(
    _ place: Workplace, columns: UInt16 = 100, environment: [String: String] = [:]
  ) throws -> RunningProgram {
    try place.start(
      ["start", "com.example.watched"],
      environment: environment.merging(["TERM": "xterm"]) { $1 },
      on: TestTerminal(columns: columns))
  }

  private func attach(_ place: Workplace) throws -> RunningProgram {
    try place.start(["attach", "1"], environment: ["TERM": "xterm"], on: TestTerminal())
  }

  private func row(_ place: Workplace) throws -> [String: any Sendable] {
    try #require(try place.history().first)
  }

  private let shown = "Exporting palettes  [#####               ] 25 %  page 1"

  @Test(arguments: Action.allCases)
  func `CP2, CP5: start shows title, bar and subtitle live, and Ctrl-C and yes cancels`(
    action: Action
  ) throws {
    let place = try place(action)
    let runner = try place.startRunner()
    try runner.waitFor("store ")
    let person = try start(place)
    try person.waitFor(shown)
    person.type("\u{3}")
    try person.waitFor("Stop the task? [y/N] ")
    person.type("y\n")
    let ended = try person.waitForEnd()
    #expect(ended.status == 130)
    #expect(ended.output.contains("cancelled"))
    #expect(try row(place)["outcome"] as? String == "cancelled")
    #expect(try row(place)["reason"] as? String == "userCancelled")
  }

  @Test(arguments: Action.allCases)
  func `CP5: it can be cancelled from another terminal`(action: Action) throws {
    let place = try place(action)
    let runner = try place.startRunner()
    try runner.waitFor("store ")
    let person = try start(place)
    try person.waitFor(shown)
    #expect(try place.bgrun("cancel", "com.example.watched").status == 0)
    #expect(try person.waitForEnd().status == 1)
    #expect(try row(place)["reason"] as? String == "userCancelled")
  }

  @Test(arguments: Action.allCases)
  func `CP3: a person is asked about a stall, goes on waiting, is asked again, and stops it`(
    action: Action
  ) throws {
    let place = try place(action, stallAfter: "300ms")
    let runner = try place.startRunner()
    try runner.waitFor("store ")
    let person = try start(place)
    try person.waitFor("Go on waiting? [Y/n] ")
    person.type("y\n")
    try person.waitFor("[Y/n] ", times: 2)
    person.type("n\n")
    #expect(try person.waitForEnd().status == 1)
    #expect(try row(place)["outcome"] as? String == "expired")
    #expect(try row(place)["reason"] as? String == "progressStalled")
  }

  @Test(arguments: Action.allCases)
  func `CP3: a follower that was killed can't keep a stalled run from expiring`(
    action: Action
  ) throws {
    let place = try place(action, stallAfter: "300ms")
    let runner = try place.startRunner()
    try runner.waitFor("store ")
    let person = try start(place)
    try person.waitFor("Go on waiting? [Y/n] ")
    person.send(SIGKILL)
    try runner.waitFor("is expiring (progressStalled)")
    try runner.waitFor("run 1 expired")
  }

  @Test(arguments: Action.allCases)
  func `CP9: when its terminal goes away the task goes on behind, and attach brings it back`(
    action: Action
  ) throws {
    let place = try place(action)
    let runner = try place.startRunner()
    try runner.waitFor("store ")
    let person = try start(place)
    try person.waitFor(shown)
    let worker = try #require(try process(of: place, action))
    let usual = ProcessPlace.ownNiceness + 5
    try Workplace.wait(until: { ProcessPlace.standing(of: worker) == usual })

    person.closeTerminal()
    #expect(try person.waitForEnd().signal == SIGHUP)
    // Only who may take it back lowers a priority.
    let behind = getuid() == 0 ? usual + 5 : usual
    try Workplace.wait(until: { ProcessPlace.standing(of: worker) == behind })

    let other = try attach(place)
    try other.waitFor(shown)
    try Workplace.wait(until: { ProcessPlace.standing(of: worker) == usual })
    other.type("\u{3}")
    try other.waitFor("Stop the task? [y/N] ")
    other.type("y\n")
    #expect(try other.waitForEnd().status == 130)
    #expect(try row(place)["reason"] as? String == "userCancelled")
  }

  /// A shell with job control at a terminal, whose `"$@"` is `start com.example.watched`.
  private func shell(_ place: Workplace) throws -> RunningProgram {
    try place.start(
      ["start", "com.example.watched"], environment: ["TERM": "xterm", "PS1": "$ "],
      behind: ["/bin/bash", "--norc", "--noprofile", "-i", "-s"], on: TestTerminal())
  }

  @Test(arguments: Action.allCases)
  func `CP9: a task falls behind as its follower loses the foreground, and goes on after a hang-up`(
    action: Action
  ) throws {
    let place = try place(action)
    let runner = try place.startRunner()
    try runner.waitFor("store ")
    let shell = try shell(place)
    // Started in the background: the shell keeps the terminal.
    shell.type("\"$@\" &\n")
    try shell.waitFor(shown)
    let worker = try #require(try process(of: place, action))
    let usual = ProcessPlace.ownNiceness + 5
    let behind = getuid() == 0 ? usual + 5 : usual
    try Workplace.wait(until: { ProcessPlace.standing(of: worker) == behind })
    shell.type("fg\n")
    try Workplace.wait(until: { ProcessPlace.standing(of: worker) == usual })
    // The shell takes the foreground back, and the follower goes on without it.
    shell.type("\u{1A}")
    try shell.waitFor("Stopped")
    shell.type("bg\n")
    try shell.waitFor(shown, times: 2)
    try Workplace.wait(until: { ProcessPlace.standing(of: worker) == behind })

    shell.closeTerminal()
    _ = try shell.waitForEnd()
    try Workplace.wait(until: {
      Workplace.processes(running: "\(place.program) start com.example.watched").isEmpty
    })
    #expect(try place.history().isEmpty)
    let other = try attach(place)
    try other.waitFor(shown)
    try Workplace.wait(until: { ProcessPlace.standing(of: worker) == usual })
    #expect(try place.bgrun("cancel", "1").status == 0)
    #expect(try other.waitForEnd().status == 1)
  }

  @Test func `BG4, CP9: a handler that executes a run is in the foreground, watched or not`() throws
  {
    let place = try Workplace(
      """
        - identifier: com.example.dozing
          kind: continuedProcessing
          title: Dozing
          progress: {stallAfter: 1h}

      """, top: "version: 1\napp: com.example\n", program: "HandlerFixture")
    try place.makeGate()
    let runner = try place.startRunner()
    try runner.waitFor("store ")
    let person = try place.start(
      ["start", "com.example.dozing"], environment: ["TERM": "xterm"], on: TestTerminal())
    try person.waitFor("Run 1 of com.example.dozing has started.")
    let log = try place.start(["logs", "1", "--follow"])
    try place.openGate()
    try log.waitFor("here\n")
    person.closeTerminal()
    #expect(try person.waitForEnd().signal == SIGHUP)
    try place.openGate()
    try log.waitFor("here\n", times: 2)
    let other = try attach(place)
    try other.waitFor("Dozing")
    #expect(try place.bgrun("cancel", "1").status == 0)
    #expect(try other.waitForEnd().status == 1)
    #expect(try !log.waitForEnd().output.contains("away"))
  }

  @Test(.enabled(if: getuid() == 0, "only root takes a lower priority back for certain"))
  func `CP9: a worker whose run nobody watched comes back for its next one`() throws {
    let place = try place(.handler)
    let runner = try place.startRunner()
    try runner.waitFor("store ")
    let script = try place.start(["start", "com.example.watched"])
    try script.waitFor(shown)
    let worker = try #require(try process(of: place, .handler))
    let usual = ProcessPlace.ownNiceness + 5
    try Workplace.wait(until: { ProcessPlace.standing(of: worker) == usual + 5 })
    #expect(try place.bgrun("cancel", "1").status == 0)
    #expect(try script.waitForEnd().status == 1)
    try Workplace.wait(until: { ProcessPlace.standing(of: worker) == usual })
  }

  @Test(arguments: [30, 60] as [UInt16])
  func `CP5: on a narrow terminal without colours no line is too long`(columns: UInt16) throws {
    let place = try place(.command)
    let runner = try place.startRunner()
    try runner.waitFor("store ")
    let person = try start(place, columns: columns, environment: ["NO_COLOR": "1"])
    try person.waitFor("25 %")
    #expect(try place.bgrun("cancel", "com.example.watched").status == 0)
    let output = try person.waitForEnd().output
    let drawn = output.replacing("\r\u{1B}[K", with: "\r\n").split(separator: "\r\n")
      .filter { $0.contains("25 %") }
    #expect(!drawn.isEmpty)
    for line in drawn { #expect(line.count < columns) }
    #expect(!output.contains("\u{1B}[3"))
  }

  @Test func `CP5: what isn't a terminal gets plain lines`() throws {
    let place = try place(.command)
    let runner = try place.startRunner()
    try runner.waitFor("store ")
    let script = try place.start(["start", "com.example.watched"])
    try script.waitFor(shown)
    #expect(try place.bgrun("cancel", "com.example.watched").status == 0)
    let output = try script.waitForEnd().output
    #expect(!output.contains("\u{1B}"))
    #expect(!output.contains("\r"))
    #expect(output.contains("\(shown)\n"))
  }

  @Test func `a person who presses Ctrl-Z watches no longer, until they come back`() throws {
    let place = try place(.command)
    let runner = try place.startRunner()
    try runner.waitFor("store ")
    let person = try start(place)
    try person.waitFor(shown)
    let worker = try #require(try process(of: place, .command))
    person.type("\u{1A}")
    try Workplace.wait(until: { Workplace.state(of: person.process) == "T" })
    if getuid() == 0 {
      let behind = ProcessPlace.ownNiceness + 10
      try Workplace.wait(until: { ProcessPlace.standing(of: worker) == behind })
    }
    person.send(SIGCONT)
    try person.waitFor(shown, times: 2)
    #expect(try place.bgrun("cancel", "com.example.watched").status == 0)
    #expect(try person.waitForEnd().status == 1)
  }

  /// The process that does the work of the one run.
  private func process(of place: Workplace, _ action: Action) throws -> pid_t? {
    var found: pid_t?
    try Workplace.wait(until: {
      found =
        switch action {
        case .command:
          Workplace.processes(running: "sleep 4646").first { Self.works($0, in: place) }
        case .handler:
          Workplace.processes(running: "--bgrun-worker").first { Self.works($0, in: place) }
        }
      return found != nil
    })
    return found
  }

  private static func works(_ process: pid_t, in place: Workplace) -> Bool {
    var path = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/\(process)/cwd", &path, path.count)
    return count > 0
      && String(decoding: path[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        == place.folder
  }
}
