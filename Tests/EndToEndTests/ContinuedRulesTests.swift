import Glibc
import Testing

@Suite("What a continued task may")
struct ContinuedRulesTests {
  private static let sleeping = """
      - identifier: com.example.export.*
        kind: continuedProcessing
        title: Exporting
        shell: echo "$BGRUN_IDENTIFIER"; exec sleep 4747
      - identifier: com.example.now
        kind: continuedProcessing
        title: Now
        strategy: fail
        command: ["true"]
      - identifier: com.example.render
        kind: continuedProcessing
        title: Rendering
        requiredResources: [gpu]
        command: ["true"]

    """

  private func place() throws -> Workplace {
    try Workplace(
      Self.sleeping,
      top: "version: 1\napp: com.example\nconcurrency: {continuedProcessing: 2}\n")
  }

  private func startTwo(_ place: Workplace, _ runner: RunningProgram) throws -> [RunningProgram] {
    try runner.waitFor("store ")
    return try ["one", "two.three"].enumerated().map { index, name in
      let script = try place.start(["start", "com.example.export.\(name)"])
      try script.waitFor("Run \(index + 1) of com.example.export.\(name) has started.")
      return script
    }
  }

  @Test func `CP8, RG7: a member of a pattern is started by its own name, and the command routes`()
    throws
  {
    let place = try place()
    let runner = try place.startRunner()
    let scripts = try startTwo(place, runner)
    let log = try place.start(["logs", "com.example.export.two.three", "--follow"])
    try log.waitFor("com.example.export.two.three\n")
    #expect(try place.bgrun("start", "com.example.export.*").status == 2)
    for name in ["one", "two.three"] { _ = try place.bgrun("cancel", "com.example.export.\(name)") }
    for script in scripts { #expect(try script.waitForEnd().status == 1) }
  }

  @Test func `CP6: fail is refused at once on a full machine, and queue waits for a place`() throws
  {
    let place = try place()
    let runner = try place.startRunner()
    let scripts = try startTwo(place, runner)
    let refused = try place.bgrun("start", "com.example.now")
    #expect(refused.status == 2)
    #expect(
      refused.errors.contains(
        "com.example.now can't run at once: 2 continued tasks run, which is the limit "
          + "(concurrency.continuedProcessing) [immediateRunIneligible]"))
    let waiting = try place.start(["start", "com.example.export.third"])
    try waiting.waitFor("com.example.export.third waits for concurrency")
    #expect(try place.bgrun("cancel", "com.example.export.one").status == 0)
    try waiting.waitFor("Run 3 of com.example.export.third has started.")
    #expect(try scripts[0].waitForEnd().status == 1)
    #expect(try place.bgrun("start", "com.example.export").status == 2)
  }

  @Test(arguments: [true, false])
  func `CP7: what needs a GPU is refused where no render node is, runner or not`(
    hasRunner: Bool
  ) throws {
    let place = try place()
    let runner = hasRunner ? try place.startRunner() : nil
    try runner?.waitFor("store ")
    let refused = try place.bgrun("start", "com.example.render")
    #expect(refused.status == 2)
    #expect(
      refused.errors.contains(
        "com.example.render requires a GPU, and this machine has no render node [notPermitted]"))
  }

  @Test func `CP1: submit isn't a person's wish, and nothing schedules a continued task`() throws {
    let place = try place()
    let refused = try place.bgrun("submit", "com.example.now")
    #expect(refused.status == 2)
    #expect(refused.errors.contains("[notPermitted]"))
  }

  @Test func `CP4: doctor says where nothing gives way, because the kernel doesn't tell`() throws {
    let place = try place()
    let doctor = try place.bgrun("doctor")
    #expect(
      doctor.output.contains(
        "Memory: this kernel doesn't tell of pressure (/proc/pressure/memory), so no continued task "
          + "gives way to it\n"))
    try place.write("device/proc/pressure/memory", "")
    #expect(
      try place.bgrun("doctor").output.contains(
        "Memory: under pressure continued tasks give way, the one with the least recent progress "
          + "first\n"))
  }

  /// The kernel announces a change of a machine's name as it does pressure, and a name can be changed
  /// in a namespace of its own.
  @Test(.enabled(if: getuid() == 0, "only root makes a machine's name of its own"))
  func `CP4: memory pressure that the kernel tells of preempts, and the task is pending again`()
    throws
  {
    let place = try place()
    try place.write("device/proc/pressure/.folder", "")
    try #require(
      symlink("/proc/sys/kernel/hostname", "\(place.folder)/device/proc/pressure/memory") == 0)
    let runner = try place.start(
      ["run", "bgrun.yaml"], behind: ["/usr/bin/unshare", "--uts", "--kill-child"])
    let scripts = try startTwo(place, runner)
    // The first to be found is unshare or the runner, which share the name.
    let sharer = try #require(Workplace.processes(running: "\(place.program) run bgrun.yaml").first)
    let renaming = try place.start(
      [],
      behind: [
        "/usr/bin/nsenter", "-t", "\(sharer)", "--uts", "/bin/sh", "-c",
        "echo pressed > /proc/sys/kernel/hostname",
      ])
    #expect(try renaming.waitForEnd().status == 0)
    try runner.waitFor("is expiring (preempted)")
    try scripts[0].waitFor("expired")
    let row = try #require(try place.history().first)
    #expect(row["reason"] as? String == "preempted")
    #expect(row["detail"] as? String == "the machine is short of memory")
    #expect(try place.bgrun("status").output.contains("pending"))
  }
}
