package import JobModel

/// A handler in the runner's own process that has not ended within its grace (EM1).
package struct Overrun: Hashable, Sendable {
  package var run: RunNumber
  package var identifier: JobIdentifier
  package var key: String
  /// Why it was warned.
  package var reason: Reason

  package init(run: RunNumber, identifier: JobIdentifier, key: String, reason: Reason) {
    self.run = run
    self.identifier = identifier
    self.key = key
    self.reason = reason
  }
}

extension LiveRun {
  func overrun(_ reason: Reason) -> Overrun {
    Overrun(run: number, identifier: identifier, key: request.key, reason: reason)
  }
}
