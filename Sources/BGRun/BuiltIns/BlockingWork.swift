import Dispatch

/// The work of handlers that block on the disk: on Swift's pool, which has one thread for each
/// core, it would hold up every other task.
@globalActor
actor BlockingWork {
  static let shared = BlockingWork()

  private let queue = QueueExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }
}

/// Runs an actor on a serial queue; Dispatch's own such executor is missing on Linux.
private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "bgrun.blocking-work")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
