import Glibc
import Testing

/// What the kernel was told of a run, asked from the kernel while the run goes on.
@Suite("Quality of service")
struct QualityOfServiceTests {
  enum Action: CaseIterable {
    case command, handler
  }

  /// Niceness above that of whoever started the runner.
  private static let qualities = [("background", 10), ("utility", 5), ("userInitiated", 0)]

  /// A run of this quality that goes on, by its processes.
  private func start(
    _ quality: String, _ action: Action
  ) throws -> (place: Workplace, runner: RunningProgram, processes: [pid_t]) {
    let place = try Workplace(
      """
        - identifier: com.example.feed.unwarned
          kind: processing
          qualityOfService: \(quality)
        - identifier: com.example.feed.sleeping
          qualityOfService: \(quality)
          shell: |
            setsid sh -c 'echo working in $$; exec sleep 4848' &
            echo working in $$
            exec sleep 4848

      """, top: "version: 1\napp: com.example.feed\n", program: "AppleFixture")
    let runner = try place.startRunner()
    try runner.waitFor("store ")
    let name = action == .handler ? "unwarned" : "sleeping"
    _ = try place.bgrun("submit", "com.example.feed.\(name)")
    let count = action == .handler ? 1 : 2
    let log = try place.start(["logs", "com.example.feed.\(name)", "--follow"])
    try log.waitFor("working in ", times: count)
    var processes: [pid_t] = []
    while processes.count < count {
      // The rest of the last line may come by itself.
      processes = try place.bgrun("logs", "1").output.split(separator: "\n")
        .filter { $0.hasPrefix("working in ") }.compactMap { pid_t($0.split(separator: " ")[2]) }
    }
    return (place, runner, processes)
  }

  @Test(arguments: qualities, Action.allCases)
  func `PL5: all that a run starts has its quality's niceness and class of input and output`(
    quality: (name: String, niceness: Int), action: Action
  ) throws {
    let started = try start(quality.name, action)
    defer { withExtendedLifetime(started) {} }
    let own = ProcessPlace.ownNiceness
    for process in started.processes {
      #expect(ProcessPlace.niceness(of: process) == own + Int32(quality.niceness))
      let asked = try RunningProgram(
        ["/usr/bin/ionice", "-p", "\(process)"], environment: [:], in: "/"
      ).waitForEnd()
      #expect(asked.status == 0)
      #expect(asked.output.hasPrefix("idle") == (quality.name == "background"))
    }
  }

  @Test(
    .enabled(if: ProcessPlace.obstacle == nil, "\(ProcessPlace.obstacle ?? "")"),
    arguments: qualities, Action.allCases)
  func `PL5: a run's control group has the share of the processors of its quality`(
    quality: (name: String, niceness: Int), action: Action
  ) throws {
    let started = try start(quality.name, action)
    defer { withExtendedLifetime(started) {} }
    let own = ProcessPlace.ownNiceness
    for process in started.processes {
      #expect(ProcessPlace.share(of: process) == own + Int32(quality.niceness))
    }
  }
}
