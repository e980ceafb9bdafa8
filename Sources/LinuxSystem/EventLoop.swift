internal import CLinux
internal import Glibc
internal import Synchronization

/// One epoll loop on the thread that calls `run`: handlers are plain closures on that thread, and
/// with nothing due it sleeps without a single wake-up (PL1, PL6).
///
/// Everything but `Poster` belongs to the loop's thread.
package final class EventLoop {
  /// What a watched descriptor is asked for.
  package struct Interest: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Something to read, or the other side is gone.
    package static let readable = Interest(rawValue: EPOLLIN.rawValue)
    /// Room to write.
    package static let writable = Interest(rawValue: EPOLLOUT.rawValue)
    /// A change in a file of /sys or /proc that announces changes.
    package static let changed = Interest(rawValue: EPOLLPRI.rawValue)
  }

  /// What was found; hang-ups and errors come as readable too, so that a read tells which.
  package typealias Readiness = Interest

  private let epoll: Descriptor
  private var handlers: [UInt64: (Readiness) -> Void] = [:]
  private var nextToken: UInt64 = 1
  private var isStopping = false
  /// Called after the handlers of each round.
  package var roundEnded: (() -> Void)?
  private let inbox: Inbox
  private var inboxWatch: Watch?
  /// What the watches of files share, while there are any.
  private weak var inotify: Inotify?

  package init() throws(SystemError) {
    epoll = Descriptor(
      owning: try check(epoll_create1(Int32(EPOLL_CLOEXEC)), "epoll_create1"))
    inbox = try Inbox()
    inboxWatch = try watch(inbox.signal.number, for: .readable) { [unowned self] _ in
      inbox.runAll()
    }
  }

  /// What was posted and never ran goes: it may hold a way to post, and so itself.
  deinit {
    inbox.close()
  }

  /// Calls the handler whenever the descriptor is ready, until the returned watch is cancelled or
  /// released. The descriptor must stay open until then.
  package func watch(
    _ descriptor: Int32, for interest: Interest, _ handler: @escaping (Readiness) -> Void
  ) throws(SystemError) -> Watch {
    let token = nextToken
    nextToken += 1
    var event = unsafe epoll_event()
    unsafe event.events = interest.rawValue
    unsafe event.data.u64 = token
    try check(
      unsafe epoll_ctl(epoll.number, EPOLL_CTL_ADD, descriptor, &event),
      "epoll_ctl", "descriptor \(descriptor)")
    handlers[token] = handler
    return Watch(loop: self, descriptor: descriptor, token: token, interest: interest)
  }

  /// The one instance for all watches of files whose reports needn't wait, made for the first of them.
  func sharedInotify() throws(SystemError) -> Inotify {
    if let inotify { return inotify }
    let new = try Inotify(on: self)
    inotify = new
    return new
  }

  fileprivate func change(descriptor: Int32, token: UInt64, to interest: Interest) {
    guard handlers[token] != nil else { return }
    var event = unsafe epoll_event()
    unsafe event.events = interest.rawValue
    unsafe event.data.u64 = token
    // A descriptor that is watched can be watched for something else.
    _ = unsafe epoll_ctl(epoll.number, EPOLL_CTL_MOD, descriptor, &event)
  }

  fileprivate func remove(descriptor: Int32, token: UInt64) {
    guard handlers.removeValue(forKey: token) != nil else { return }
    _ = epoll_ctl(epoll.number, EPOLL_CTL_DEL, descriptor, nil)
  }

  /// Runs handlers until `stop` is called.
  package func run() throws(SystemError) {
    isStopping = false
    while !isStopping { try runOnce() }
  }

  /// Waits for events, at most for `limit`, and runs their handlers; false when the limit passed
  /// first. Without a limit it waits as long as it takes.
  @discardableResult
  package func runOnce(waitingAtMost limit: Duration? = nil) throws(SystemError) -> Bool {
    var ready = unsafe [epoll_event](repeating: epoll_event(), count: 64)
    let count = unsafe epoll_wait(epoll.number, &ready, 64, limit.map(Self.milliseconds) ?? -1)
    if count < 0 {
      if errno == EINTR { return true }
      throw .last("epoll_wait")
    }
    for index in 0..<Int(count) {
      let event = unsafe ready[index]
      // A handler that ran before may have cancelled this one.
      guard let handler = unsafe handlers[event.data.u64] else { continue }
      var readiness = unsafe Readiness(rawValue: event.events).intersection([
        .readable, .writable, .changed,
      ])
      if unsafe event.events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0, readiness != .changed {
        readiness.insert(.readable)
      }
      handler(readiness)
    }
    if count > 0 { roundEnded?() }
    return count > 0
  }

  /// Makes `run` return after the handlers of this round.
  package func stop() {
    isStopping = true
  }

  /// Runs the closure in the next round; from the loop's own thread.
  package func soon(_ work: @escaping () -> Void) {
    nonisolated(unsafe) let work = work
    unsafe inbox.put(work)
  }

  /// Hands closures to the loop from any thread.
  package var poster: Poster { Poster(inbox: inbox) }

  /// Asks the kernel for short scheduling slices for the calling thread, so that timers are
  /// punctual on a busy machine. Linux 6.12 or later; elsewhere nothing changes.
  package static func requestPunctuality() {
    _ = bgrun_become_punctual()
  }

  private static func milliseconds(_ limit: Duration) -> Int32 {
    let nanoseconds = limit.wholeNanoseconds
    return Int32(clamping: max(0, nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 > 0 ? 1 : 0)))
  }
}

/// Keeps a descriptor watched; releasing it ends that.
package final class Watch {
  private weak var loop: EventLoop?
  private let descriptor: Int32
  private let token: UInt64
  private let interest: EventLoop.Interest

  fileprivate init(
    loop: EventLoop, descriptor: Int32, token: UInt64, interest: EventLoop.Interest
  ) {
    self.loop = loop
    self.descriptor = descriptor
    self.token = token
    self.interest = interest
  }

  /// Lets the descriptor be ready without calling the handler; its end and its errors are still told.
  func pause() {
    loop?.change(descriptor: descriptor, token: token, to: [])
  }

  /// Calls the handler again, at once where the descriptor has become ready meanwhile.
  func resume() {
    loop?.change(descriptor: descriptor, token: token, to: interest)
  }

  /// Ends the watch; the handler isn't called again, not even for events already found.
  package func cancel() {
    loop?.remove(descriptor: descriptor, token: token)
    loop = nil
  }

  deinit {
    cancel()
  }
}

/// The way into a loop from other threads.
package struct Poster: Sendable {
  fileprivate let inbox: Inbox

  /// Runs the closure on the loop's thread, in the order of posting; never, once the loop is gone.
  package func post(_ work: sending @escaping () -> Void) {
    inbox.put(work)
  }
}

/// Closures on their way to the loop, and the eventfd that wakes it.
private final class Inbox: Sendable {
  /// Unchecked: a closure is handed over whole and only the loop's thread ever runs it.
  private struct Work: @unchecked Sendable {
    let run: () -> Void
  }

  let signal: Descriptor
  /// Nil when the loop is gone.
  private let waiting = Mutex<[Work]?>([])

  init() throws(SystemError) {
    signal = Descriptor(
      owning: try check(eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)), "eventfd"))
  }

  func put(_ closure: sending @escaping () -> Void) {
    let work = Work(run: closure)
    let wasEmpty = waiting.withLock { waiting in
      waiting?.append(work)
      return waiting?.count == 1
    }
    // A counter that is full already wakes the loop.
    if wasEmpty { _ = eventfd_write(signal.number, 1) }
  }

  func close() {
    // Released outside of the lock: what goes may post.
    let dropped = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    withExtendedLifetime(dropped) {}
  }

  func runAll() {
    _ = try? Descriptors.readCounter(signal.number)
    let taken = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for work in taken ?? [] { work.run() }
  }
}

extension Duration {
  /// The duration in nanoseconds, saturated.
  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    let (sum, isOver) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
    return isOver ? (seconds < 0 ? .min : .max) : sum
  }
}
