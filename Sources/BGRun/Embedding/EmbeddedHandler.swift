import Dispatch
import JobModel
import TaskHosts

/// A handler's run in this process. What a handler's author wrote, the decoding of parameters and what
/// is called at cancellation too, never runs on the runner's thread: it could hold every deadline up.
final class EmbeddedHandler: InProcessRun {
  private let run: HandlerRun
  private let registry: HandlerRegistry
  /// Serial queues have threads beyond those of Swift's pool, which a handler may have blocked.
  private let starting = DispatchQueue(label: "bgrun.handler")
  private let warning = DispatchQueue(label: "bgrun.expiration")

  init(_ launch: WorkerLaunch, registry: HandlerRegistry, reports: InProcessReports) {
    self.registry = registry
    let throttle = ProgressThrottle(reports.progressed)
    run = HandlerRun(
      launch, canBeKilled: false, report: throttle.take, log: { reports.wrote(Array($0.utf8)) }
    ) { run, completion in
      let fraction = run.progress.fractionCompleted
      reports.completed(completion, progress: fraction > 0 ? fraction : nil)
    }
  }

  func start() {
    starting.async { [run, registry] in run.start(from: registry) }
  }

  func expire(_ reason: Reason) {
    warning.async { [run] in run.expire(reason) }
  }
}
