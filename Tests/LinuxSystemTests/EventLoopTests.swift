import Glibc
import LinuxSystem
import Synchronization
import Testing

@Suite("The event loop")
struct EventLoopTests {
  let loop: EventLoop

  init() throws {
    loop = try EventLoop()
  }

  @Test func `calls the handler of a readable descriptor until the watch is released`() throws {
    let pipe = try Pipe()
    var received = 0
    var watch: Watch? = try loop.watch(pipe.readEnd, for: .readable) { _ in
      var buffer = [UInt8](repeating: 0, count: 16)
      if case .bytes(let count)? = try? Descriptors.read(pipe.readEnd, into: &buffer) {
        received += count
      }
    }
    try Descriptors.write(all: Array("abc".utf8), to: pipe.writeEnd)
    try loop.run(until: { received == 3 })

    watch = nil
    try Descriptors.write(all: Array("d".utf8), to: pipe.writeEnd)
    #expect(try loop.runOnce(waitingAtMost: .zero) == false)
    #expect(received == 3 && watch == nil)
  }

  @Test func `reports a closed pipe as readable`() throws {
    let pipe = try Pipe()
    var readiness: EventLoop.Readiness = []
    let watch = try loop.watch(pipe.readEnd, for: .readable) { readiness = $0 }
    pipe.closeWriteEnd()
    try loop.run(until: { readiness.contains(.readable) })
    watch.cancel()
  }

  @Test func `a handler can cancel another one that is ready in the same round`() throws {
    let first = try Pipe()
    let second = try Pipe()
    try Descriptors.write(all: [1], to: first.writeEnd)
    try Descriptors.write(all: [1], to: second.writeEnd)
    var calls = 0
    var watches: [Watch] = []
    let handler: (EventLoop.Readiness) -> Void = { _ in
      calls += 1
      for watch in watches { watch.cancel() }
    }
    watches = [
      try loop.watch(first.readEnd, for: .readable, handler),
      try loop.watch(second.readEnd, for: .readable, handler),
    ]
    try loop.runOnce()
    #expect(calls == 1)
  }

  @Test func `runs closures posted from another thread, in their order, on its own thread`() throws
  {
    let poster = loop.poster
    let received = Numbers()
    let expected = pthread_self()
    let thread = Thread {
      for number in 0..<1000 {
        poster.post {
          guard pthread_equal(pthread_self(), expected) != 0 else { return }
          received.all.withLock { $0.append(number) }
        }
      }
    }
    try loop.run(until: { received.all.withLock { $0.count } == 1000 })
    thread.join()
    #expect(received.all.withLock { $0 } == Array(0..<1000))
  }

  @Test func `what was posted and never ran goes with the loop, though it holds a way to post`()
    throws
  {
    final class Token {}
    weak var token: Token?
    do {
      let loop = try EventLoop()
      let poster = loop.poster
      let made = Token()
      token = made
      loop.soon { withExtendedLifetime((made, poster)) {} }
    }
    #expect(token == nil)
  }

  @Test func `runs until it is stopped`() throws {
    var rounds = 0
    loop.soon { [loop] in
      rounds += 1
      loop.soon {
        rounds += 1
        loop.stop()
      }
    }
    try loop.run()
    #expect(rounds == 2)
  }

  @Test func `with nothing due it isn't woken`() throws {
    let timer = try MonotonicTimer(on: loop) {}
    timer.set(nanoseconds: Clocks.now().monotonic + 3_600_000_000_000)
    #expect(try loop.runOnce(waitingAtMost: .milliseconds(30)) == false)
  }
}

private final class Numbers: Sendable {
  let all = Mutex<[Int]>([])
}

/// A thread of the test's own, joined by it.
final class Thread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
  private var thread = pthread_t()

  init(_ body: @escaping @Sendable () -> Void) {
    let context = Unmanaged.passRetained(Body(body)).toOpaque()
    pthread_create(
      &thread, nil,
      { context in
        Unmanaged<Body>.fromOpaque(context!).takeRetainedValue().run()
        return nil
      }, context)
  }

  func join() {
    pthread_join(thread, nil)
  }
}
