import Glibc
import JobModel
import LinuxSystem

extension WorkerRun {
  /// What is told of a run whose worker is gone.
  ///
  /// - Parameter earlier: processor time that the process had used for runs before.
  func event(_ processes: SpawnedRun.Ending, after earlier: Duration) -> HostEvent {
    var ending = RunEnding(processes, isKillOrdered: isKillOrdered)
    ending.cpuTime = ending.cpuTime.map { $0 - earlier }
    switch verdict {
    case .notStarted(let detail): return .launchFailed(number, detail: detail)
    case .completed(let completed): return .ended(number, RunEnding(completed))
    case .judged(let completion):
      ending.signal = nil
      ending.completion = completion
    case .disconnected where ending.signal == SIGKILL && !isKillOrdered:
      ending.signal = nil
      ending.completion = .failed(
        .protocolError, detail: "the worker closed its connection to the runner")
    case .disconnected, nil:
      if ending.exitStatus == 0 {
        // LC10.
        ending.exitStatus = nil
        ending.completion = .failed(
          .neverCompleted, detail: "the worker exited before the handler had completed")
      }
    }
    return .ended(number, ending)
  }
}

extension RunEnding {
  /// The end of a run whose worker lives on.
  init(_ completed: MessageFromWorker.Completed) {
    self.init()
    completion = completed.completion
    hasReachedLimit = completed.hasReachedLimit
    peakMemory = completed.usage.peakMemory
    cpuTime = completed.usage.processorTime
  }
}
