import BGRun
import Dispatch
import Foundation
import JobModel

extension BGTaskScheduler {
  /// Where completion handlers are called: their code may take its time, and may ask again.
  private static let answers = DispatchQueue(label: "bgrun.BGTaskScheduler")

  /// Submits a request, and waits until it is durable (SB8).
  ///
  /// Apple deprecates it from iOS 27 on, for programs that need nothing earlier; here it stays.
  /// A permitted request without a launch handler ends the program with a sentence (SB3).
  ///
  /// - Throws: `BGTaskScheduler.Error`, with a sentence that says which cause applies (SB6).
  public func submit(_ taskRequest: BGTaskRequest) throws {
    let submission = taskRequest.submission
    let answer = Scheduling.wait { Scheduling.submit(submission, answer: $0) }
    if let error = Error(refusalIn: answer) { throw error }
  }

  /// Submits a request; `completionHandler` is called on a background queue when it is durable, or
  /// refused (SB6, SB8).
  ///
  /// - Parameters:
  ///   - taskRequest: it is copied before this returns.
  ///   - completionHandler: takes nil or a `BGTaskScheduler.Error`.
  @preconcurrency
  public func submitTaskRequest(
    _ taskRequest: BGTaskRequest,
    completionHandler: @escaping @Sendable ((any Swift.Error)?) -> Void
  ) {
    Scheduling.submit(taskRequest.submission) { answer in
      Self.answers.async { completionHandler(Error(refusalIn: answer)) }
    }
  }

  /// Submits a request; it is durable when this returns (SB8).
  ///
  /// - Throws: `BGTaskScheduler.Error`, with a sentence that says which cause applies (SB6).
  public nonisolated(nonsending) func submitTaskRequest(_ taskRequest: BGTaskRequest) async throws {
    let submission = taskRequest.submission
    let answer = await withCheckedContinuation { continuation in
      Scheduling.submit(submission) { continuation.resume(returning: $0) }
    }
    if let error = Error(refusalIn: answer) { throw error }
  }

  /// Ends the requests of an identifier that haven't started; what runs goes on.
  public func cancel(taskRequestWithIdentifier identifier: String) {
    cancel(JobIdentifier(identifier))
  }

  /// Ends every request that hasn't started; what runs goes on.
  public func cancelAllTaskRequests() {
    cancel(nil)
  }

  /// Asks for the submitted requests that haven't started: copies, in the order in which they become
  /// due, for `completionHandler` on a background queue (SB9).
  @preconcurrency
  public func getPendingTaskRequests(
    completionHandler: @escaping @Sendable ([BGTaskRequest]) -> Void
  ) {
    Scheduling.desk.ask(.pending) { answer in
      Self.answers.async { completionHandler(Self.requests(in: answer)) }
    }
  }

  /// The submitted requests that haven't started: copies, in the order in which they become due
  /// (SB9).
  public nonisolated(nonsending) func pendingTaskRequests() async -> [BGTaskRequest] {
    let answer = await withCheckedContinuation { continuation in
      Scheduling.desk.ask(.pending) { continuation.resume(returning: $0) }
    }
    return Self.requests(in: answer)
  }

  /// Apple's interface can't say that it failed, so the log does.
  private func cancel(_ identifier: JobIdentifier?) {
    let answer = Scheduling.wait { Scheduling.desk.ask(.cancel(identifier), answer: $0) }
    guard let error = Error(refusalIn: answer) else { return }
    Misuse.warn("nothing was cancelled: \(error.localizedDescription)")
  }

  private static func requests(in answer: SchedulerAnswer) -> [BGTaskRequest] {
    switch answer {
    case .pending(let requests): return requests.map(BGTaskRequest.make)
    case .submitted, .refused, .cancelled, .failed:
      let sentence = Error(refusalIn: answer)?.localizedDescription ?? "no list was answered"
      Misuse.warn("the pending requests aren't known: \(sentence)")
      return []
    }
  }
}
