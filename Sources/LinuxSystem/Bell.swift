internal import CLinux
internal import Glibc

/// A counting bell between threads: one waits, others ring; no ring is lost.
@safe package final class Bell: Sendable {
  // The semaphore is made for use by several threads at once; its address never changes.
  private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

  package init() {
    unsafe semaphore = .allocate(capacity: 1)
    unsafe sem_init(semaphore, 0, 0)
  }

  deinit {
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  /// Lets one wait return, now or later.
  package func ring() {
    unsafe sem_post(semaphore)
  }

  /// Blocks the thread until a ring that no other wait has used.
  package func wait() {
    while unsafe sem_wait(semaphore) != 0 {}
  }

  /// Blocks the thread until such a ring, at most for `limit`; false when that passed first.
  package func wait(atMost limit: Duration) -> Bool {
    let end = Clocks.now().monotonic + limit.wholeNanoseconds
    return unsafe bgrun_semaphore_wait_until(semaphore, end) == 0
  }
}
