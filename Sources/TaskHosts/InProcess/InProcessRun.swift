package import JobModel
import LinuxSystem

/// A handler's run in this process, as its host sees it. Both calls return at once, whatever the
/// handler does.
package protocol InProcessRun: Sendable {
  /// Starts the handler, which tells of its end by the reports that it was made with.
  func start()

  /// Gives the warning (LC4).
  func expire(_ reason: Reason)
}

/// The way from a run in this process to its host: from any thread and at any time. What comes after
/// the run's end changes nothing.
package struct InProcessReports: @unchecked Sendable {
  // Unchecked: host and log travel through other threads, which never look at them.
  private let run: RunNumber
  private weak var host: InProcessHost?
  private let log: RunLog
  private let poster: Poster

  init(_ run: RunNumber, to host: InProcessHost, poster: Poster, log: RunLog) {
    self.run = run
    self.host = host
    self.log = log
    self.poster = poster
  }

  package func progressed(_ report: ProgressReport) {
    poster.post { [self] in host?.progressed(run, report) }
  }

  package func completed(_ completion: HandlerCompletion, progress: Double?) {
    poster.post { [self] in host?.completed(run, completion, progress: progress) }
  }

  /// Adds to the run's log, which is kept within its limit (DU5).
  package func wrote(_ bytes: [UInt8]) {
    poster.post { [self] in log.append(bytes[...]) }
  }
}
