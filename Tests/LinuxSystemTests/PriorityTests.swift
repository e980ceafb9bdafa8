import Glibc
import Testing

@testable import LinuxSystem

@Suite("Priority")
struct PriorityTests {
  /// Niceness of each thread of a process.
  private func nicenesses(of process: Int32) -> [Int32] {
    ((try? Files.list("/proc/\(process)/task")) ?? []).compactMap { thread in
      guard let text = try? Files.text("/proc/\(process)/task/\(thread)/stat"),
        let fields = text.split(separator: ")").last?.split(separator: " "), fields.count > 16
      else { return nil }
      return Int32(fields[16])
    }
  }

  @Test func `CP9: who may not lower a niceness is told so, and isn't lowered by asking`() async {
    await #expect(processExitsWith: .success) {
      // Root gives its privilege away for good.
      if getuid() == 0, setuid(65_534) != 0 { exit(2) }
      let before = Priority.own
      if Priority.mayReturn(to: before, from: before + 5) { exit(1) }
      exit(Priority.own == before ? 0 : 3)
    }
  }

  @Test func `CP9: a group with a share of its own is moved by that`() throws {
    let folder = TemporaryFolder()
    #expect(ControlGroups.niceness(of: folder.path) == nil)
    try Files.write(Array("-3\n".utf8), to: folder.path + "/cpu.weight.nice")
    #expect(ControlGroups.niceness(of: folder.path) == -3)
    ControlGroups.setNiceness(10, of: folder.path)
    #expect(try Files.text(folder.path + "/cpu.weight.nice") == "10")
  }

  @Test(
    .enabled(if: Priority.mayReturn(to: Priority.own, from: Priority.own + 10)),
    arguments: Keeper.Containment.allCases)
  func `CP9: a run goes behind with its children and threads, and comes back`(
    containment: Keeper.Containment
  ) throws {
    let loop = try EventLoop()
    let keeper = try Keeper(containment: containment, on: loop) {}
    let output = try Output(on: loop)
    // A child in a session of its own, and one that has put itself further behind.
    let script =
      "setsid sh -c 'echo 1; exec sleep 4545' & nice -n 15 sh -c 'echo 1; exec sleep 4545' & wait"
    let program = ProgramLaunch(
      program: "/bin/sh", arguments: ["sh", "-c", script], environment: ["PATH": "/bin:/usr/bin"],
      workingFolder: "/tmp")
    var hasEnded = false
    let group = "bgrun-test-\(UInt64.random(in: 0...UInt64.max))"
    let run = try keeper.launch(program, group: group, output: output.descriptor) { report in
      if case .ended = report { hasEnded = true }
    }
    try loop.run(until: { output.lines.count == 2 })
    let process = try #require(run.process)
    let all = [process] + ProcessTable.descendants(of: process)
    let usual = Priority.own
    #expect(all.flatMap(nicenesses).sorted() == [usual, usual, usual + 15])

    run.move(to: .behind(niceness: usual + 10, usual: usual))
    let path = containment == .automatic ? ControlGroups().map { "\($0.path)/\(group)" } : nil
    if let path, let share = ControlGroups.niceness(of: path) {
      // Everything in the group goes behind with it, and nobody needs a privilege to bring it back.
      #expect(share == usual + 10)
      run.move(to: .usual)
      #expect(ControlGroups.niceness(of: path) == usual)
      run.kill()
      return try loop.run(until: { hasEnded })
    }
    #expect(all.flatMap(nicenesses).sorted() == [usual + 10, usual + 10, usual + 15])
    run.move(to: .usual)
    #expect(all.flatMap(nicenesses).sorted() == [usual, usual, usual + 15])

    run.move(to: .behind(niceness: usual + 10, usual: nil))
    #expect(all.flatMap(nicenesses).sorted() == [usual, usual, usual + 15])
    run.kill()
    try loop.run(until: { hasEnded })
  }
}
