package import JobModel
package import TaskHosts

/// Where a program's questions about its requests go: in a worker to the runner, elsewhere to the
/// store.
package protocol SchedulerDesk: Sendable {
  /// What the manifest permits this program to handle; empty while no manifest can be read.
  var permissions: [HandlerPermission] { get }

  /// Where the handlers of the permitted jobs are registered.
  var registry: HandlerRegistry { get }

  /// Whether a service that is made later takes its place: not that of a worker's runner, nor of a
  /// simulator.
  var givesWay: Bool { get }

  /// Whether the first submission is the moment at which the program's launch finishes (RG2).
  var finishesLaunching: Bool { get }

  /// Calls `body` with the permissions, once, on any thread: for callers that mustn't wait for a disk.
  func withPermissions(_ body: @escaping @Sendable ([HandlerPermission]) -> Void)

  /// Asks; `answer` is called once, on any thread.
  func ask(
    _ question: SchedulerQuestion, answer: @escaping @Sendable (SchedulerAnswer) -> Void)
}

extension SchedulerDesk {
  package var registry: HandlerRegistry { .shared }
  package var givesWay: Bool { true }
  package var finishesLaunching: Bool { false }

  package func withPermissions(_ body: @escaping @Sendable ([HandlerPermission]) -> Void) {
    body(permissions)
  }
}
