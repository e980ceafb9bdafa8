import Glibc

/// A thread for blocking work.
package enum DetachedThread {
  /// The signals of a thread's own faults: blocked, they would end the process before Swift's
  /// runtime can print a backtrace. Threads that this one makes inherit its mask.
  private static let faults = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS]

  /// Runs `body` on a new thread with signals blocked, because signals belong to the loop.
  ///
  /// - Returns: 0, or the error number that says why no thread could be made.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
    var thread = pthread_t()
    let code = unsafe create(&thread, body) { unsafe pthread_create($0, nil, $1, $2) }
    if code == 0 { pthread_detach(thread) }
    return code
  }

  /// Called with where to put the thread, what it runs and on what; gives an error number.
  typealias Maker = (
    UnsafeMutablePointer<pthread_t>,
    @escaping @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?,
    UnsafeMutableRawPointer
  ) -> Int32

  /// Makes such a thread for somebody who joins or detaches it.
  static func create(
    _ thread: inout pthread_t, _ body: @escaping @Sendable () -> Void, by make: Maker
  ) -> Int32 {
    final class Box: Sendable {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    var every = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&every)
    for fault in faults { unsafe sigdelset(&every, fault) }
    unsafe pthread_sigmask(SIG_SETMASK, &every, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }

    let box = unsafe Unmanaged.passRetained(Box(body))
    let code = unsafe make(
      &thread,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, box.toOpaque())
    if code != 0 { unsafe box.release() }
    return code
  }
}
