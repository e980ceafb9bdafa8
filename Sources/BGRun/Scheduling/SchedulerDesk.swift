package import JobModel
package import TaskHosts

/// Where a program's questions about its requests go: in a worker to the runner, elsewhere to the
/// store.
package protocol SchedulerDesk: Sendable {
  /// What the manifest permits this program to handle; empty while no manifest can be read.
  var permissions: [HandlerPermission] { get }

  /// Asks; `answer` is called once, on any thread.
  func ask(
    _ question: SchedulerQuestion, answer: @escaping @Sendable (SchedulerAnswer) -> Void)
}
