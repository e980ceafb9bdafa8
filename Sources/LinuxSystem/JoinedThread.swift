import Glibc

/// A thread for a part of one's own work.
package enum JoinedThread {
  /// Runs `body` on a new thread with signals blocked; where none can be made, at once.
  ///
  /// - Returns: what waits for the end of `body`, to be called once.
  package static func start(_ body: @escaping @Sendable () -> Void) -> () -> Void {
    var thread = pthread_t()
    guard DetachedThread.create(&thread, body) == 0 else {
      body()
      return {}
    }
    let started = thread
    return { _ = pthread_join(started, nil) }
  }
}
