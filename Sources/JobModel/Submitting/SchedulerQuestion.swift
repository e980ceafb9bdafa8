/// What a program asks about the requests of its job set.
package enum SchedulerQuestion: Hashable, Sendable {
  /// Stores a request; durable before it is answered (SB8).
  case submit(SubmissionRequest)
  /// Ends the pending requests of one identifier, or of all.
  case cancel(JobIdentifier?)
  /// What has been submitted and hasn't started.
  case pending
}

/// The answer to a `SchedulerQuestion`.
package enum SchedulerAnswer: Hashable, Sendable {
  case submitted(RequestID)
  /// A rule refuses the request; the sentence names what is pending, where that is why (SB6).
  case refused(SubmissionError)
  /// This many requests were ended.
  case cancelled(Int)
  /// Copies, in the order in which they become due (SB9).
  case pending([SubmissionRequest])
  /// The store could not be asked: a sentence (DU4).
  case failed(String)
}
