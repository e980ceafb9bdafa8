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
    try runner.waitFor("11 jobs")
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
    try place.openGate()
    try waitForInhibitor(bus, isHeld: false)
    runner.send(SIGTERM)
    #expect(try runner.waitForEnd().status == 0)
  }

  /// Asks the run for its phase until it is this one.
  private func waitForPhase(_ phase: String, in place: Workplace) throws {
    for _ in 0..<200 {
      try place.openGate()
      let log = try place.bgrun("logs", "1").output
      if log.split(separator: "\n").last ?? "" == phase { return }
    }
    Issue.record("never \(phase): \(try place.bgrun("logs", "1").output)")
  }

  @Test func `BG3, BG4: sleep that is announced starts the pool, waking ends it`() throws {
    let (place, bus, runner) = try start("backgroundTime: 5m")
    _ = try place.bgrun("submit", "com.example.dozing")
    try runner.waitFor("run 1 started")
    try waitForPhase("here", in: place)
    try bus.emit(PrivateBus.logind, "PrepareForSleep", true)
    try waitForPhase("away", in: place)
    try bus.emit(PrivateBus.logind, "PrepareForSleep", false)
    try waitForPhase("here", in: place)
    runner.send(SIGKILL)
    _ = try runner.waitForEnd()
  }

  @Test func `BG2: announced sleep sends a run's program to the background`() throws {
    let (place, bus, runner) = try start("backgroundTime: 500ms")
    _ = try place.bgrun("submit", "com.example.working")
    try Workplace.wait(until: {
      (try? place.bgrun("logs", "1").output.contains("working with time")) ?? false
    })
    try bus.emit(PrivateBus.logind, "PrepareForSleep", true)
    // The pool runs out, the task is ended by its handler, and the run goes on to its end.
    try runner.waitFor("run 1 succeeded")
    #expect(try place.bgrun("logs", "1").output.contains("told that the time is over"))
    runner.send(SIGTERM)
    #expect(try runner.waitForEnd().status == 0)
  }
}
