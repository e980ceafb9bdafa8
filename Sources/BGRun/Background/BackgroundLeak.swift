import JobModel

/// Background tasks that were still begun when the time of the background had run out (BG5).
package struct BackgroundLeak: Hashable, Sendable {
  /// One of them.
  package struct Task: Hashable, Sendable {
    package var name: String
    /// Where it was begun.
    package var site: CallSite
    package var handler: Handler

    package init(name: String, site: CallSite, handler: Handler) {
      self.name = name
      self.site = site
      self.handler = handler
    }
  }

  /// What became of a task's expiration handler.
  package enum Handler: Hashable, Sendable {
    case none
    /// It was due, and the main thread has not come to it.
    case waiting
    case running
    case returned
  }

  /// In the order in which they were begun.
  package var tasks: [Task]
  /// The time that there was.
  package var time: Duration

  package init(tasks: [Task], time: Duration) {
    self.tasks = tasks
    self.time = time
  }

  /// The report for the run's log: a line for each task.
  package var report: String {
    let lines = tasks.map { task in
      "  '\(task.name)' was begun at \(task.site); \(task.handler.sentence)\n"
    }
    return "\(count) still begun when the background time of \(DurationText.format(time)) had run "
      + "out; each needs endBackgroundTask:\n\(lines.joined())"
  }

  /// The same in one line of a size for the runner's log.
  package var summary: String {
    let shown = tasks.prefix(5).map { "'\($0.name)' (\($0.site))" }
    let more = tasks.count > shown.count ? " and \(tasks.count - shown.count) more" : ""
    return "\(count) still begun after \(DurationText.format(time)) in the background: "
      + shown.joined(separator: ", ") + more
  }

  private var count: String {
    tasks.count == 1 ? "1 background task was" : "\(tasks.count) background tasks were"
  }
}

extension BackgroundLeak.Handler {
  fileprivate var sentence: String {
    switch self {
    case .none: "it has no expiration handler"
    case .waiting: "the main thread was too busy to run its expiration handler"
    case .running: "its expiration handler had not returned"
    case .returned: "its expiration handler returned without ending it"
    }
  }
}
