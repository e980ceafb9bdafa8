internal import Glibc

/// Keeps a terminal's stop key from stopping this process at a moment when others wait for it.
package enum Suspension {
  /// Stops this process as the terminal's stop key does, until somebody continues it.
  package static func stopThisProcess() { kill(getpid(), SIGSTOP) }

  /// Holds SIGTSTP back while `body` runs: a process that is stopped inside a transaction would
  /// hold up every other one. The key takes effect afterwards.
  package static func deferred<Result>(_ body: () -> Result) -> Result {
    var held = sigset_t()
    var before = sigset_t()
    unsafe sigemptyset(&held)
    unsafe sigaddset(&held, SIGTSTP)
    unsafe pthread_sigmask(SIG_BLOCK, &held, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    return body()
  }
}
