/// Why a request was not taken, with Apple's codes and names and the cause in one sentence (SB6).
package struct SubmissionError: Error, Hashable, Sendable {
  package enum Code: Int, CaseIterable, Hashable, Sendable {
    case unavailable = 1
    case tooManyPendingTaskRequests = 2
    case notPermitted = 3
    case immediateRunIneligible = 4
  }

  /// Apple's error domain.
  package static let domain = "BGTaskSchedulerErrorDomain"

  package var code: Code
  /// What was asked for, why it can't be had, and what to do.
  package var sentence: String
  /// What is pending already, for `tooManyPendingTaskRequests` (SB2).
  package var pending: [RequestRecord] = []

  /// The name of the code, as Apple writes it.
  package var name: String { "\(code)" }

  package init(_ code: Code, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }

  /// The store holds as many requests of the kind as may wait (SB2).
  ///
  /// - Parameter pending: the requests of the kind that wait, to be shown as a table.
  package static func tooManyPending(
    _ submission: Submission, pending: [RequestRecord]
  ) -> SubmissionError {
    let limit = submission.pendingLimit ?? pending.count
    var error = SubmissionError(
      .tooManyPendingTaskRequests,
      "\(submission.identifier) was not submitted: \(limit) \(submission.kind.rawValue) "
        + "request\(limit == 1 ? " is" : "s are") pending, which is the limit (pendingLimits); "
        + "cancel one, or let it run")
    error.pending = pending
    return error
  }
}
