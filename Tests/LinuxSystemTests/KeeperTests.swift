import Glibc
import LinuxSystem
import Testing

@Suite("The keeper of runs")
struct KeeperTests {
  let loop: EventLoop

  init() throws {
    loop = try EventLoop()
  }

  private func keeper(_ containment: Keeper.Containment) throws -> Keeper {
    try Keeper(containment: containment, on: loop) {
      Issue.record("the keeper was lost")
    }
  }

  private func isLocked(_ path: String) -> Bool {
    let probe = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(probe) }
    return flock(probe, LOCK_SH | LOCK_NB) != 0
  }

  private func groupName() -> String { "bgrun-test-\(UInt64.random(in: 0...UInt64.max))" }

  private func shell(_ script: String) -> ProgramLaunch {
    ProgramLaunch(
      program: "/bin/sh", arguments: ["sh", "-c", script], environment: ["PATH": "/bin:/usr/bin"],
      workingFolder: "/tmp")
  }

  /// Runs a program to its end; `during` is called once it has written that many lines.
  private func run(
    _ program: ProgramLaunch, with keeper: Keeper, lines: Int = 0,
    during: (SpawnedRun, Output) throws -> Void = { _, _ in }
  ) throws -> (last: SpawnedRun.Report?, output: Output) {
    let output = try Output(on: loop)
    var reports: [SpawnedRun.Report] = []
    let run = try keeper.launch(program, group: groupName(), output: output.descriptor) {
      reports.append($0)
    }
    try loop.run(until: { !reports.isEmpty })
    if case .started? = reports.first {
      try loop.run(until: { output.lines.count >= lines })
      try during(run, output)
      try loop.run(until: { reports.count == 2 })
    }
    output.drain()
    return (reports.last, output)
  }

  private func ending(_ report: SpawnedRun.Report?) throws -> SpawnedRun.Ending {
    guard case .ended(let ending)? = report else {
      throw SystemError("test", "\(String(describing: report))", code: 0)
    }
    return ending
  }

  @Test(arguments: Keeper.Containment.allCases)
  func `a program gets its arguments, environment, folder and nothing else`(
    containment: Keeper.Containment
  ) throws {
    var program = shell(
      #"printf '%s|%s|%s|' "$1" "$GREETING" "$PWD""#
        + "; for fd in 0 1 2 3 4 5 6 7 8 9; do [ -e /proc/$$/fd/$fd ] && printf $fd; done; true")
    program.arguments += ["name", "two words; $HOME"]
    program.environment["GREETING"] = "hello"
    let (last, output) = try run(program, with: keeper(containment))
    #expect(output.text == "two words; $HOME|hello|/tmp|012")
    #expect(try ending(last).exit == .status(0))
  }

  @Test(arguments: Keeper.Containment.allCases)
  func `a program starts with default signals, an empty mask and its own process group`(
    containment: Keeper.Containment
  ) throws {
    Descriptors.ignoreBrokenPipes()
    let (_, output) = try run(
      shell("grep -E 'Sig(Blk|Ign)' /proc/self/status; cut -d' ' -f5 /proc/$$/stat; echo $$"),
      with: keeper(containment))
    let lines = output.lines
    let none = "0000000000000000"
    try #require(lines.count == 4)
    #expect(lines[0] == "SigBlk:\t\(none)")
    #expect(lines[1] == "SigIgn:\t\(none)")
    #expect(lines[2] == lines[3])
  }

  @Test(arguments: Keeper.Containment.allCases)
  func `ST5: an exit status and a signal are told apart`(containment: Keeper.Containment) throws {
    let keeper = try keeper(containment)
    #expect(try ending(run(shell("exit 7"), with: keeper).last).exit == .status(7))
    #expect(try ending(run(shell("kill -SEGV $$"), with: keeper).last).exit == .signal(SIGSEGV))
    #expect(try ending(run(shell("exit 139"), with: keeper).last).exit == .status(139))
  }

  @Test(arguments: Keeper.Containment.allCases)
  func `what can't be started is refused with the reason`(containment: Keeper.Containment) throws {
    let keeper = try keeper(containment)
    var program = shell("true")
    program.workingFolder = "/nowhere"
    #expect(
      try run(program, with: keeper).last
        == .launchFailed(.init(step: .workingFolder, code: ENOENT)))
    program = shell("true")
    program.program = "/nowhere/program"
    #expect(
      try run(program, with: keeper).last == .launchFailed(.init(step: .program, code: ENOENT)))
    let folder = TemporaryFolder()
    program.program = folder.path + "/plain"
    try Files.write(Array("text".utf8), to: program.program)
    #expect(
      try run(program, with: keeper).last == .launchFailed(.init(step: .program, code: EACCES)))
  }

  @Test(arguments: Keeper.Containment.allCases)
  func `LC5: SIGTERM reaches the process group, and a program that obeys ends by it`(
    containment: Keeper.Containment
  ) throws {
    let (last, _) = try run(shell("exec sleep 600"), with: keeper(containment)) { run, _ in
      run.terminate()
    }
    #expect(try ending(last).exit == .signal(SIGTERM))
    #expect(try ending(last).hasKilledRest == false)
  }

  @Test(arguments: Keeper.Containment.allCases)
  func `LC5: everything is killed, double-forked and in sessions of their own included`(
    containment: Keeper.Containment
  ) throws {
    let script = """
      trap '' TERM
      setsid sh -c 'trap "" TERM; sleep 600 & echo $!; sleep 600 & echo $!; wait' &
      (setsid sleep 600 & echo $!)
      wait
      sleep 600
      """
    let (last, output) = try run(shell(script), with: keeper(containment), lines: 3) {
      run, output in
      let started = output.lines.compactMap { Int32($0) }
      #expect(started.count == 3 && started.allSatisfy { isAlive($0) && run.contains($0) })
      #expect(!run.contains(getpid()))
      run.terminate()
      run.kill()
    }
    #expect(output.lines.compactMap { Int32($0) }.allSatisfy { !isAlive($0) })
    #expect(try ending(last).exit == .signal(SIGKILL))
  }

  @Test(arguments: Keeper.Containment.allCases)
  func `LC5: what a program leaves behind when it ends by itself is killed`(
    containment: Keeper.Containment
  ) throws {
    let (last, output) = try run(
      shell("(setsid sleep 600 & echo $!); exit 3"), with: keeper(containment))
    let left = try #require(output.lines.first.flatMap { Int32($0) })
    #expect(!isAlive(left))
    #expect(try ending(last).exit == .status(3))
    #expect(try ending(last).hasKilledRest)
  }

  @Test(arguments: Keeper.Containment.allCases)
  func `a program that keeps forking is stopped`(containment: Keeper.Containment) throws {
    let script =
      "breed() { while :; do (sleep 600 & sleep 600 &); done; }; breed & breed & echo ready; wait"
    let (last, _) = try run(shell(script), with: keeper(containment), lines: 1) { run, _ in
      #expect(run.memoryInUse() > 0)
      run.kill()
    }
    #expect(try ending(last).exit == .signal(SIGKILL))
  }

  @Test(arguments: Keeper.Containment.allCases)
  func `a run's cost is reported`(containment: Keeper.Containment) throws {
    let (last, _) = try run(
      shell("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"), with: keeper(containment))
    let ending = try ending(last)
    #expect(ending.processorTime > .milliseconds(1) && ending.processorTime < .seconds(10))
    #expect(ending.peakMemory > 100_000)
    #expect(ending.hasKilledRest == false)
  }

  @Test func `a hundred short runs leave no defunct child and no descriptor`() throws {
    for containment in Keeper.Containment.allCases {
      let keeper = try keeper(containment)
      _ = try run(shell("true"), with: keeper)
      let before = try Files.list("/proc/\(keeper.process)/fd").count
      for _ in 0..<100 {
        #expect(try ending(run(shell("true"), with: keeper).last).exit == .status(0))
      }
      // The keeper closes the last run's a moment after it has reported its end.
      #expect(try Files.list("/proc/\(keeper.process)/fd").count <= before + 5)
      // Supervisors end a moment after their last report, and the keeper reaps them before it looks
      // at the next order.
      let supervisors = ProcessTable.descendants(of: keeper.process)
      try loop.waitForEnd(of: supervisors)
      _ = try run(shell("true"), with: keeper)
      // However many of them a busy machine had kept from ending: only the last one may be left.
      let left = ProcessTable.descendants(of: keeper.process)
      #expect(Set(supervisors).isDisjoint(with: left))
      #expect(left.count <= 1)
    }
  }

  @Test(arguments: Keeper.Containment.allCases)
  func `DU2: when the runner is killed, the keeper kills what is left and then drops the lock`(
    containment: Keeper.Containment
  ) throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/lock"
    var keeper: Keeper? = try keeper(containment)
    let lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    flock(lock, LOCK_EX)
    try keeper!.hold(lock)
    let output = try Output(on: loop)
    let run = try keeper!.launch(
      shell("trap '' TERM; (setsid sleep 600 & echo $!); sleep 600"), group: groupName(),
      output: output.descriptor
    ) { _ in }
    try loop.run(until: { output.lines.count == 1 })
    let left = try #require(output.lines.first.flatMap { Int32($0) })
    #expect(isAlive(left))
    // The runner's copy of the lock goes first, as in a death: the keeper's keeps it held.
    close(lock)
    #expect(isLocked(path))
    keeper = nil
    #expect(!isAlive(left))
    #expect(!isLocked(path))
    withExtendedLifetime(run) {}
  }

  @Test func `a supervisor that is killed takes its run with it`() throws {
    let keeper = try keeper(.supervisor)
    let (last, output) = try run(
      shell("(setsid sleep 600 & echo $!); sleep 600"), with: keeper, lines: 1
    ) { run, _ in
      kill(try #require(run.process.flatMap(ProcessTable.parent)), SIGKILL)
    }
    #expect(try ending(last).exit == .lost)
    try loop.waitForEnd(of: output.lines.compactMap { Int32($0) })
  }

  @Test(arguments: Keeper.Containment.allCases)
  func `an end that the keeper's death has brought is told when the keeper is gone`(
    containment: Keeper.Containment
  ) throws {
    for _ in 1...20 {
      let keeper = try Keeper(containment: containment, on: loop) {}
      var wasGone: [Bool] = []
      let output = try Output(on: loop)
      let run = try keeper.launch(
        shell("exec sleep 600"), group: groupName(), output: output.descriptor
      ) { report in
        switch report {
        case .started: kill(keeper.process, SIGKILL)
        case .ended, .launchFailed: wasGone.append(keeper.isGone)
        }
      }
      try loop.run(until: { !wasGone.isEmpty })
      #expect(wasGone == [true])
      withExtendedLifetime(run) {}
    }
  }

  @Test(arguments: Keeper.Containment.allCases)
  func `a program that the keeper hadn't started when it was killed was never launched`(
    containment: Keeper.Containment
  ) throws {
    let keeper = try Keeper(containment: containment, on: loop) {}
    kill(keeper.process, SIGSTOP)
    var reports: [SpawnedRun.Report] = []
    let output = try Output(on: loop)
    let run = try keeper.launch(shell("exit 3"), group: groupName(), output: output.descriptor) {
      reports.append($0)
    }
    kill(keeper.process, SIGKILL)
    try loop.run(until: { !reports.isEmpty })
    #expect(reports == [.launchFailed(.init(step: .keeper, code: ECONNRESET))])
    withExtendedLifetime(run) {}
  }
}
