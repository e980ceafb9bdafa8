import JobModel

/// One run in a worker, until its end has been told.
final class WorkerRun {
  let order: LaunchOrder
  let log: RunLog
  /// Why it expires; nil while it hasn't been warned.
  var warning: Reason?
  /// Whether the engine asked for the forced end (LC5).
  var isKillOrdered = false
  /// How it ended, known before its processes are gone.
  var verdict: Verdict?
  var memoryWatch: MemoryWatch?

  enum Verdict {
    /// The handler, or the host in its place, has completed it.
    case completed(HandlerCompletion, WorkerUsage?)
    /// It was never started.
    case notStarted(detail: String)
    /// The connection ended; how the process ended will tell why.
    case disconnected
  }

  init(_ order: LaunchOrder, log: RunLog) {
    self.order = order
    self.log = log
  }

  var number: RunNumber { order.run }

  /// What the worker is told at the launch.
  func message(stateDirectory: String) -> MessageToWorker {
    let job = order.job
    let request = order.request
    let folder = JobFolder(
      stateDirectory: stateDirectory, identifier: request.identifier, key: request.key)
    return .launch(
      WorkerLaunch(
        run: order.run, identifier: request.identifier.text, key: request.key,
        handler: handlerName, parameters: request.parameters ?? job.parameters,
        attempt: request.attempt, scheduledFor: request.scheduledAt, deadline: order.deadline,
        monotonicDeadline: order.monotonicDeadline, title: request.title ?? job.title,
        subtitle: request.subtitle ?? job.subtitle, jobFolder: folder.path,
        manifestFolder: job.manifestFolder))
  }

  private var handlerName: String {
    guard case .handler(let name) = order.job.action else { return order.request.identifier.text }
    return HandlerPermission(
      identifier: order.job.identifier.text, kind: order.job.kind, handler: name
    ).handlerName(for: order.request.identifier.text)
  }
}
