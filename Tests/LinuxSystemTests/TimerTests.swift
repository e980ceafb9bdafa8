import Glibc
import LinuxSystem
import Testing

@Suite("Timers and signals")
struct TimerTests {
  let loop: EventLoop

  init() throws {
    loop = try EventLoop()
  }

  @Test func `LC4: a monotonic deadline is never reported early`() throws {
    var reported: Int64 = 0
    let timer = try MonotonicTimer(on: loop) { reported = Clocks.now().monotonic }
    let deadline = Clocks.now().monotonic + 5_000_000
    timer.set(nanoseconds: deadline)
    try loop.run(until: { reported != 0 })
    #expect(reported >= deadline)
  }

  @Test func `a deadline that has passed is due at once`() throws {
    var calls = 0
    let monotonic = try MonotonicTimer(on: loop) { calls += 1 }
    let wall = try WallTimer(on: loop, due: { calls += 1 }, stepped: {})
    monotonic.set(nanoseconds: 0)
    wall.set(nanoseconds: -5)
    try loop.run(until: { calls == 2 })
  }

  @Test func `a deadline can be taken back`() throws {
    var calls = 0
    let timer = try MonotonicTimer(on: loop) { calls += 1 }
    timer.set(nanoseconds: Clocks.now().monotonic + 1_000_000)
    timer.set(nanoseconds: nil)
    #expect(try loop.runOnce(waitingAtMost: .milliseconds(5)) == false)
    #expect(calls == 0)
  }

  @Test func `a deadline that has gone off can be set once more`() throws {
    var calls = 0
    let timer = try MonotonicTimer(on: loop) { calls += 1 }
    for expected in 1...2 {
      timer.set(nanoseconds: 1)
      try loop.run(until: { calls == expected })
    }
    timer.set(nanoseconds: nil)
    #expect(try loop.runOnce(waitingAtMost: .zero) == false)
  }

  @Test func `an alarm wakes the thread that waits for it, and is lost when it is cleared`() throws
  {
    let alarm = try Alarm()
    alarm.set(after: .seconds(3600))
    alarm.clear()
    let waiter = Thread { alarm.wait() }
    alarm.set(after: .milliseconds(1))
    waiter.join()
  }

  @Test func `a wall deadline isn't reported early`() throws {
    var reported: Int64 = 0
    let timer = try WallTimer(on: loop, due: { reported = Clocks.now().wall }, stepped: {})
    let deadline = Clocks.now().wall + 2_000_000
    timer.set(nanoseconds: deadline)
    try loop.run(until: { reported != 0 })
    #expect(reported >= deadline)
  }

  @Test func `signals arrive on the loop`() throws {
    var received: [Int32] = []
    let thread = pthread_self()
    let source = try SignalSource([SIGUSR1, SIGUSR2], on: loop) { received.append($0) }
    // To this thread, which blocks them: the other threads of the test run don't.
    pthread_kill(thread, SIGUSR1)
    pthread_kill(thread, SIGUSR2)
    try loop.run(until: { received.count == 2 })
    #expect(Set(received) == [SIGUSR1, SIGUSR2])
    withExtendedLifetime(source) {}
  }

  @Test(arguments: [(SIGSEGV, "SIGSEGV"), (SIGKILL, "SIGKILL"), (200, "signal 200")])
  func `signals have names`(number: Int32, name: String) {
    #expect(Signals.name(of: number) == name)
  }
}
