import JobModel

/// Takes a program's requests: from a handler in a worker, from an embedded program and from any
/// other program beside a store.
public struct TaskScheduler: Sendable {
  /// The scheduler of this program.
  public static let shared = TaskScheduler(desk: nil)

  /// Why a request wasn't taken (SB6).
  public struct SubmissionFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Apple's names for the causes.
    public enum Code: Int, Sendable {
      /// The job is switched off, or the store can't be used.
      case unavailable = 1
      /// As many requests of the kind are pending as may be (SB2).
      case tooManyPendingTaskRequests = 2
      /// The manifest doesn't permit it (SB3).
      case notPermitted = 3
      /// A continued task with strategy `fail` can't start at once (SB7).
      case immediateRunIneligible = 4
    }

    /// Which of the causes it is.
    public let code: Code
    /// One sentence: what was asked for, why it can't be had, what to do.
    public let description: String
  }

  /// Nil is whatever the process uses at the time.
  private let chosen: (any SchedulerDesk)?
  private var desk: any SchedulerDesk { chosen ?? Scheduling.desk }

  init(desk: (any SchedulerDesk)?) {
    chosen = desk
  }

  /// Submits a request; it is durable when this returns (SB8).
  ///
  /// - Throws: `SubmissionFailure`.
  public func submit(_ request: TaskRequest) async throws(SubmissionFailure) {
    let submission = request.submission
    let answer = await answer { Scheduling.submit(submission, to: desk, answer: $0) }
    guard case .submitted = answer else { throw failure(answer) }
  }

  /// Ends the requests of an identifier that haven't started, of every key.
  ///
  /// - Returns: how many there were.
  /// - Throws: `SubmissionFailure` with `unavailable` when the store can't be used.
  @discardableResult
  public func cancel(identifier: String) async throws(SubmissionFailure) -> Int {
    try await cancel(.cancel(JobIdentifier(identifier)))
  }

  /// Ends every request of the job set that hasn't started.
  ///
  /// - Returns: how many there were.
  /// - Throws: `SubmissionFailure` with `unavailable` when the store can't be used.
  @discardableResult
  public func cancelAll() async throws(SubmissionFailure) -> Int {
    try await cancel(.cancel(nil))
  }

  /// The submitted requests that haven't started, in the order in which they become due (SB9).
  ///
  /// - Throws: `SubmissionFailure` with `unavailable` when the store can't be used.
  public func pendingRequests() async throws(SubmissionFailure) -> [TaskRequest] {
    let answer = await answer { desk.ask(.pending, answer: $0) }
    guard case .pending(let requests) = answer else { throw failure(answer) }
    return requests.map { TaskRequest($0) }
  }

  private func cancel(_ question: SchedulerQuestion) async throws(SubmissionFailure) -> Int {
    let answer = await answer { desk.ask(question, answer: $0) }
    guard case .cancelled(let count) = answer else { throw failure(answer) }
    return count
  }

  private func answer(
    _ ask: (@escaping @Sendable (SchedulerAnswer) -> Void) -> Void
  ) async -> SchedulerAnswer {
    await withCheckedContinuation { continuation in
      ask { continuation.resume(returning: $0) }
    }
  }

  private func failure(_ answer: SchedulerAnswer) -> SubmissionFailure {
    switch answer {
    case .refused(let error):
      SubmissionFailure(code: .init(error.code), description: error.sentence)
    case .failed(let sentence): SubmissionFailure(code: .unavailable, description: sentence)
    case .submitted, .cancelled, .pending:
      SubmissionFailure(
        code: .unavailable, description: "the scheduler gave an answer to another question")
    }
  }
}

extension TaskScheduler.SubmissionFailure.Code {
  init(_ code: SubmissionError.Code) {
    self =
      switch code {
      case .unavailable: .unavailable
      case .tooManyPendingTaskRequests: .tooManyPendingTaskRequests
      case .notPermitted: .notPermitted
      case .immediateRunIneligible: .immediateRunIneligible
      }
  }
}
