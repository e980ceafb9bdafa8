import Glibc
import JobModel
import LinuxSystem
import TaskHosts
import Testing

@Suite("Running commands")
struct CommandHostTests {
  static let containments = Keeper.Containment.allCases

  @Test func `a command is told of its run, and nothing of the login shell but what is listed`()
    throws
  {
    let bench = try HostBench()
    bench.launch(7, "env | sort; pwd; readlink /proc/self/fd/0", key: "a/b") { job in
      job.environment.variables = ["COLOR": "red and blue"]
      job.parameters = #"{"size":3}"#
    }
    #expect(try bench.ending(of: 7).exitStatus == 0)
    let lines = bench.output(of: 7).split(separator: "\n").map(String.init)
    let expected = [
      "BGRUN_ATTEMPT=2", "BGRUN_DEADLINE=1970-01-01T00:50:00.000Z",
      "BGRUN_IDENTIFIER=com.example.job",
      "BGRUN_JOB_DIR=\(bench.state.path)/jobs/com.example.job/key=a%2Fb", "BGRUN_KEY=a/b",
      "BGRUN_RUN_ID=7", "BGRUN_SCHEDULED_AT=1970-01-01T00:33:20.000Z", #"BGRUN_WITH={"size":3}"#,
      "COLOR=red and blue", "PATH=/usr/bin:/bin", bench.state.path, "/dev/null",
    ]
    #expect(lines.filter { !$0.hasPrefix("NOTIFY_SOCKET=") && !$0.hasPrefix("PWD=") } == expected)
    #expect(lines.contains { $0.hasPrefix("NOTIFY_SOCKET=@bgrun-") })
  }

  @Test func `a command's words are its arguments, without a shell`() throws {
    let bench = try HostBench()
    bench.host?.launch(bench.order(1, .command(["printf", "%s|", "a b", "$HOME", "*"])))
    #expect(try bench.ending(of: 1).exitStatus == 0)
    #expect(bench.output(of: 1) == "a b|$HOME|*|")
  }

  @Test func `a relative program is found in the manifest's folder, and so reported if missing`()
    throws
  {
    let bench = try HostBench()
    try Files.write(
      Array("#!/bin/sh\necho ran in $PWD\n".utf8), to: bench.state.path + "/tool",
      permissions: 0o700)
    bench.host?.launch(bench.order(1, .command(["./tool"])) { $0.workingDirectory = "/tmp" })
    _ = try bench.ending(of: 1)
    #expect(bench.output(of: 1) == "ran in /tmp\n")
  }

  @Test func `what can't be started says why in a sentence`() throws {
    let bench = try HostBench()
    let folder = bench.state.path
    try Files.write(Array("#!/no/such\n".utf8), to: folder + "/script", permissions: 0o700)
    try Files.write(Array("text\n".utf8), to: folder + "/text", permissions: 0o700)
    let cases: [(LaunchOrder, String)] = [
      (
        bench.order(1, .command(["no-such-tool"])),
        "no program named no-such-tool in the folders of PATH (/usr/bin:/bin)"
      ),
      (
        bench.order(2, .command(["./gone"])),
        "can't run \(folder)/./gone: No such file or directory"
      ),
      (
        bench.order(3, .shell("true")) { $0.workingDirectory = "/nowhere" },
        "can't enter the working directory /nowhere: No such file or directory"
      ),
      (
        bench.order(4, .command(["./script"])),
        "can't run \(folder)/./script: the interpreter that its first line names doesn't exist"
      ),
      (
        bench.order(5, .command(["./text"])),
        "can't run \(folder)/./text: it is no program of this machine, nor a script with #! first"
      ),
    ]
    for (order, detail) in cases {
      let count = bench.events.count
      bench.host?.launch(order)
      #expect(bench.events.count == count)
      try bench.loop.run(until: { bench.events.count > count })
      #expect(bench.events.last == .launchFailed(order.run, detail: detail))
    }
    // Nothing of the failures is left: the next run has the first socket again.
    bench.launch(6, "echo $NOTIFY_SOCKET")
    _ = try bench.ending(of: 6)
    #expect(bench.output(of: 6).hasSuffix("-0\n"))
  }

  @Test func `a state directory that can't be written fails the launch`() throws {
    let bench = try HostBench()
    try Files.write([], to: bench.state.path + "/output")
    bench.launch(1, "true")
    try bench.loop.run(until: { !bench.events.isEmpty })
    guard case .launchFailed(RunNumber(1), let detail) = bench.events[0] else {
      Issue.record("it started")
      return
    }
    #expect(detail.hasPrefix("can't mkdir \(bench.state.path)/output/com.example.job"))
  }

  @Test(arguments: containments)
  func `ST5: the exit status and the signal are the command's`(
    containment: Keeper.Containment
  ) throws {
    let bench = try HostBench(containment)
    bench.launch(1, "exit 7")
    bench.launch(2, "kill -SEGV $$")
    let exited = try bench.ending(of: 1)
    let crashed = try bench.ending(of: 2)
    #expect(exited.exitStatus == 7 && exited.signal == nil && !exited.wasKilled)
    #expect(crashed.exitStatus == nil && crashed.signal == SIGSEGV && !crashed.wasKilled)
    #expect(try #require(exited.peakMemory) > 0)
  }

  @Test(arguments: containments)
  func `LC4: the reason is there when SIGTERM arrives, and one of an earlier run isn't`(
    containment: Keeper.Containment
  ) throws {
    let bench = try HostBench(containment)
    let script = """
      trap 'cat "$BGRUN_JOB_DIR/reason"; exit 3' TERM
      ls "$BGRUN_JOB_DIR"; echo ready
      sleep 600 & wait
      """
    for run in Int64(1)...2 {
      bench.launch(run, script)
      try bench.waitForOutput(of: run, "ready")
      bench.host?.warn(RunNumber(run), reason: .timeLimit)
      #expect(try bench.ending(of: run).exitStatus == 3)
      #expect(bench.output(of: run) == "ready\ntimeLimit\n")
    }
  }

  @Test(arguments: containments)
  func `LC5: a command that obeys SIGTERM isn't killed, one that ignores it is`(
    containment: Keeper.Containment
  ) throws {
    let bench = try HostBench(containment)
    bench.launch(1, "echo ready; exec sleep 600")
    bench.launch(2, "trap '' TERM; echo ready; sleep 600; sleep 600")
    for run in Int64(1)...2 {
      try bench.waitForOutput(of: run, "ready")
      bench.host?.warn(RunNumber(run), reason: .timeLimit)
    }
    let obedient = try bench.ending(of: 1)
    #expect(obedient.signal == SIGTERM && !obedient.wasKilled)
    bench.host?.kill(RunNumber(2))
    let stubborn = try bench.ending(of: 2)
    #expect(stubborn.signal == SIGKILL && stubborn.wasKilled)
  }

  @Test(arguments: containments)
  func `LC5: a shell that double-forks leaves no process`(containment: Keeper.Containment) throws {
    let bench = try HostBench(containment)
    bench.launch(1, "(setsid sleep 600 & echo $!); sleep 600")
    try bench.loop.run(until: { bench.output(of: 1).hasSuffix("\n") })
    let left = try #require(Int32(bench.output(of: 1).dropLast()))
    #expect(isAlive(left))
    bench.host?.kill(RunNumber(1))
    _ = try bench.ending(of: 1)
    #expect(!isAlive(left))
  }

  @Test(arguments: containments)
  func `ST2: output written just before the end is there when the end is told`(
    containment: Keeper.Containment
  ) throws {
    let bench = try HostBench(containment)
    bench.launch(1, "i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done; echo end")
    _ = try bench.ending(of: 1)
    #expect(bench.output(of: 1).hasSuffix("line 19999\nend\n"))
  }

  @Test func `ST1: each run ends once, and 100 short ones leave no descriptor`() throws {
    let bench = try HostBench()
    bench.launch(0, "true")
    _ = try bench.ending(of: 0)
    let before = try Files.list("/proc/self/fd").count
    for run in Int64(1)...100 { bench.launch(run, "true") }
    for run in Int64(1)...100 { _ = try bench.ending(of: run) }
    let ended = bench.events.filter { if case .ended = $0 { true } else { false } }
    #expect(ended.count == 101)
    // Other tests open some too; a leak would be 100 at least. The host keeps as many sockets as
    // there were runs at a time.
    #expect(try Files.list("/proc/self/fd").count < before + 100 + 80)
  }

  @Test func `a host that is released takes its runs along`() throws {
    let bench = try HostBench()
    bench.launch(1, "trap '' TERM; (setsid sleep 600 & echo $!); sleep 600")
    try bench.loop.run(until: { bench.output(of: 1).hasSuffix("\n") })
    let left = try #require(Int32(bench.output(of: 1).dropLast()))
    bench.release()
    #expect(!isAlive(left))
    while try bench.loop.runOnce(waitingAtMost: .zero) {}
  }

  @Test func `DU2: what a dead owner's run left in its control group is killed`() throws {
    let bench = try HostBench()
    // As after the death of runner and keeper: the group is there, nobody looks after it.
    bench.launch(1, "(setsid sleep 600 & echo $!); sleep 600")
    try bench.loop.run(until: { bench.output(of: 1).hasSuffix("\n") })
    let left = try #require(Int32(bench.output(of: 1).dropLast()))
    let request = bench.order(1, .shell("")).request
    let record = RunRecord(
      run: RunNumber(1), request: request, owner: Fence(1), startedAt: WallInstant(seconds: 0))
    let owner = Owner(
      name: "gone", fence: Fence(1), host: "here", processID: 1, startedAt: WallInstant(seconds: 0))
    var isDone = false
    bench.host?.removeLeftovers(of: [record], owner: owner) { isDone = true }
    try bench.loop.run(until: { isDone })
    if ProcessTable.groupPath(of: getpid()) != nil, ControlGroups() != nil {
      #expect(!isAlive(left))
    } else {
      #expect(isAlive(left))
    }
  }

  @Test(arguments: containments)
  func `when somebody kills the keeper, its runs end and the next one has a new keeper`(
    containment: Keeper.Containment
  ) throws {
    let bench = try HostBench(containment)
    bench.launch(1, "(setsid sleep 600 & echo $! $PPID); sleep 600")
    try bench.loop.run(until: { bench.output(of: 1).hasSuffix("\n") })
    let numbers = bench.output(of: 1).dropLast().split(separator: " ").compactMap { Int32($0) }
    try #require(numbers.count == 2)
    let isGrouped = ProcessTable.parent(of: numbers[1]) == getpid()
    kill(isGrouped ? numbers[1] : try #require(ProcessTable.parent(of: numbers[1])), SIGKILL)
    #expect(try bench.ending(of: 1).signal == SIGKILL)
    try bench.loop.waitForEnd(of: numbers[0])
    bench.launch(2, "exit 3")
    #expect(try bench.ending(of: 2).exitStatus == 3)
  }

  @Test(.enabled(if: ControlGroups() != nil))
  func `groups that a command makes inside its own are removed with it`() throws {
    let bench = try HostBench()
    bench.launch(
      1,
      """
      mount=$(sed -n 's/.* \\([^ ]*\\) [^ ]* .*- cgroup2 .*/\\1/p' /proc/self/mountinfo | head -n 1)
      group=$mount$(sed -n 's/^0:://p' /proc/self/cgroup)
      mkdir -p "$group/one/two" && echo "$group"
      """)
    #expect(try bench.ending(of: 1).exitStatus == 0)
    let group = String(bench.output(of: 1).dropLast())
    #expect(Files.name(of: group).hasPrefix("bgrun-"))
    #expect(!Files.isFolder(group))
  }
}
