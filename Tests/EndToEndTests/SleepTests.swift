import Glibc
import Testing

/// Background tasks and what logind announces, on a bus of its own.
@Suite(
  "Background tasks and sleep",
  .enabled(if: PrivateBus.isPossible, "needs Debian's dbus and python3-dbusmock"))
struct SleepTests {
  private func start(
    _ lifecycle: String
  ) throws -> (place: Workplace, bus: PrivateBus, runner: RunningProgram) {
    let place = try BackgroundTaskTests.place(lifecycle)
    let bus = try PrivateBus(in: place.folder)
    try bus.add("logind")
    let runner = try place.startRunner(environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
    try runner.waitFor("10 jobs")
    return (place, bus, runner)
  }

  /// Each question is a process of its own, so this doesn't spin.
  private func waitForInhibitor(_ bus: PrivateBus, isHeld: Bool) throws {
    for _ in 0..<500 where try bus.inhibitors().contains("sleep:shutdown") != isHeld {}
    #expect(try bus.inhibitors().contains("sleep:shutdown") == isHeld)
  }

  @Test func `BG9: while a task is held, sleep and shutdown are held back, and no longer`() throws {
    let (place, bus, runner) = try start("backgroundTime: 1m")
    #expect(try !bus.inhibitors().contains("sleep"))
    _ = try place.bgrun("submit", "com.example.lingering")
    try runner.waitFor("run 1 succeeded")
    try waitForInhibitor(bus, isHeld: true)
    let gate = open("\(place.folder)/gate", O_WRONLY)
    close(gate)
    try waitForInhibitor(bus, isHeld: false)
    runner.send(SIGTERM)
    #expect(try runner.waitForEnd().status == 0)
  }

  @Test func `BG2: announced sleep sends a run's program to the background`() throws {
    let (place, bus, runner) = try start("backgroundTime: 500ms")
    _ = try place.bgrun("submit", "com.example.working")
    try runner.waitFor("run 1 started")
    try bus.emit(PrivateBus.logind, "PrepareForSleep", true)
    // The pool runs out, the task is ended by its handler, and the run goes on to its end.
    try runner.waitFor("run 1 succeeded")
    #expect(try place.bgrun("logs", "1").output.contains("told that the time is over"))
    runner.send(SIGTERM)
    #expect(try runner.waitForEnd().status == 0)
  }
}
