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
    /// The handler has completed it.
    case completed(MessageFromWorker.Completed)
    /// The host has, in its place.
    case judged(HandlerCompletion)
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
  func message(stateDirectory: String, backgroundTime: Duration) -> MessageToWorker {
    .launch(
      WorkerLaunch(order, stateDirectory: stateDirectory, backgroundTime: backgroundTime))
  }
}

extension SchedulerQuestion {
  /// CP1: what a run submits is a person's wish where the run itself is one.
  func asked(by run: WorkerRun) -> SchedulerQuestion {
    guard case .submit(var request) = self, run.order.request.isUserInitiated else { return self }
    request.isUserInitiated = true
    return .submit(request)
  }
}
