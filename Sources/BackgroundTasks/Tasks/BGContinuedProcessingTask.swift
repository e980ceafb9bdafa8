import BGRun
public import Foundation
import JobModel
import Synchronization
import TaskHosts

/// A task that a person started and follows (CP1, CP5).
open class BGContinuedProcessingTask: BGTask, ProgressReporting, @unchecked Sendable {
  private let reported: TaskProgress

  override init(_ run: HandlerRun) {
    let progress = run.progress
    reported = TaskProgress { progress.update(fractionCompleted: $0) }
    super.init(run)
  }

  deinit {
    willComplete()
  }

  /// What the person sees of the task.
  open var title: String { run.progress.title }

  /// What it is doing.
  open var subtitle: String { run.progress.subtitle }

  /// How far the task is; a change of its `fractionCompleted` shows that it hasn't stalled (CP3).
  ///
  /// Its own units are told at once. Foundation on Linux doesn't tell of changes in children, so
  /// they are read five times a second, and once more when the task is completed.
  open var progress: Progress { reported }

  /// Changes what the person sees (CP2).
  open func updateTitle(_ title: String, subtitle: String) {
    run.progress.update(title: title, subtitle: subtitle)
  }

  override func willComplete() {
    if reported.finish(), !reported.hasChanged {
      warnOfConstantProgress("ended")
    }
  }

  override func willExpire() {
    if run.expiration == .progressStalled, !reported.hasChanged {
      warnOfConstantProgress("stalled")
    }
  }

  private func warnOfConstantProgress(_ happening: String) {
    Misuse.warn(
      "\(identifier) \(happening), and its progress.fractionCompleted never changed: set "
        + "progress.totalUnitCount and count progress.completedUnitCount up while it works (CP3)",
      to: run.log)
  }
}
