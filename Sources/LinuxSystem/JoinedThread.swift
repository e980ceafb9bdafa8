internal import CLinux
import Glibc
import Synchronization

/// A thread for a part of one's own work, which begins at once on another processor.
package enum JoinedThread {
  /// Runs `body` on a new thread with signals blocked; where none can be made, when it is
  /// waited for.
  ///
  /// - Returns: what waits for the end of `body` and gives its value, to be called once.
  package static func start<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value
  ) -> () -> Value {
    let outcome = Outcome<Value>()
    var thread = pthread_t()
    let work: @Sendable () -> Void = {
      let value = body()
      outcome.value.withLock { $0 = value }
    }
    let code = unsafe DetachedThread.create(&thread, work) {
      unsafe bgrun_create_thread_beside($0, $1, $2)
    }
    guard code == 0 else { return body }
    let started = thread
    return {
      pthread_join(started, nil)
      return outcome.value.withLock { $0 } ?? body()
    }
  }
}

private final class Outcome<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
}
