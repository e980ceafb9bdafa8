import Synchronization

/// Cancels a Swift task from outside while its body runs, however the task was started: a task that
/// begins on the thread that starts it has no handle before its first suspension.
final class TaskCancellation: Sendable {
  /// The task may be cancelled from any thread as long as its body runs.
  private struct Current: @unchecked Sendable {
    let task: UnsafeCurrentTask
  }

  private let current: Mutex<Current?>

  /// - Parameter task: the task whose body calls this, and calls `end` before it returns.
  init(of task: UnsafeCurrentTask?) {
    current = Mutex(task.map { Current(task: $0) })
  }

  func cancel() { current.withLock { $0?.task.cancel() } }

  func end() { current.withLock { $0 = nil } }
}
