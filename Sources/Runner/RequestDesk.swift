import JobEngine
package import JobModel
import LinuxSystem

/// Takes requests into a store and out of it, as the engine's rules say: for commands, for programs
/// beside the store, and, through the runner, for the handlers in its workers.
///
/// Calls block; they belong on the store's thread.
package struct RequestDesk {
  private let store: any JobStore
  private let jobSet: JobSet
  private let now: WallInstant
  private let readDevice: () -> DeviceState?

  /// A request that the store holds.
  package struct Stored: Hashable, Sendable {
    package var id: RequestID
    package var submission: Submission
    /// The unstarted one that it took the place of (SB1).
    package var replaced: RequestID?
  }

  /// Why a request isn't in the store.
  package enum Failure: Error, Hashable, Sendable {
    case refused(SubmissionError)
    case store(StoreFailure)
  }

  /// - Parameter readDevice: reads this machine's conditions, asked while no runner is alive that has
  ///   published its own, for a job or request that needs a resource which may not come by waiting
  ///   (CP7).
  package init(
    _ store: any JobStore, _ jobSet: JobSet, at now: WallInstant,
    readDevice: @escaping () -> DeviceState? = { nil }
  ) {
    self.store = store
    self.jobSet = jobSet
    self.now = now
    self.readDevice = readDevice
  }

  /// Stores a request; it is durable when this returns (SB8).
  package func submit(_ request: SubmissionRequest) throws(Failure) -> Stored {
    let submission = try judge(request)
    switch try commit([.submit(submission)]).first {
    case .applied(.submitted(let id, let replaced)):
      return Stored(id: id, submission: submission, replaced: replaced)
    case .refused(.tooManyPending):
      let pending = try read { store throws(StoreFailure) in
        try store.pending(of: nil, limit: .max)
      }
      throw .refused(
        .tooManyPending(submission, pending: pending.filter { $0.kind == submission.kind }))
    case .failed(let failure): throw .store(failure)
    case .applied, .refused, nil:
      throw .store(
        StoreFailure(
          cause: .other,
          sentence: "the store refused the request of \(request.identifier): try again"))
    }
  }

  /// Ends the pending requests of one identifier, or of all.
  ///
  /// - Returns: how many there were.
  package func cancel(_ identifier: JobIdentifier?) throws(Failure) -> Int {
    let identifiers: [JobIdentifier]
    if let identifier {
      identifiers = [identifier]
    } else {
      let pending = try read { store throws(StoreFailure) in
        try store.pending(of: nil, limit: .max)
      }
      identifiers = Set(pending.map(\.identifier)).sorted()
    }
    let verdicts = try commit(
      identifiers.map {
        .cancel(Cancellation(identifier: $0, key: nil, reason: .userCancelled, at: now))
      })
    var ended = 0
    for verdict in verdicts {
      switch verdict {
      case .applied(.counted(let count)): ended += count
      case .failed(let failure): throw .store(failure)
      case .applied, .refused: break
      }
    }
    return ended
  }

  /// The submitted requests that haven't started, in the order in which they become due.
  package func pending() throws(Failure) -> [SubmissionRequest] {
    try read { store throws(StoreFailure) in try store.pending(of: nil, limit: .max) }
      .filter { $0.origin == .submission && $0.starts == 0 }
      .map(SubmissionRequest.init)
  }

  private func judge(_ request: SubmissionRequest) throws(Failure) -> Submission {
    let snapshots = try read { store throws(StoreFailure) in
      try store.snapshots(of: nil, headLimit: 1)
    }
    let rules = SubmissionRules(
      jobSet: jobSet, snapshot: snapshots.first { $0.identifier == request.identifier },
      device: try device(for: request),
      continuedRuns: snapshots.flatMap(\.live).count { $0.request.kind == .continuedProcessing })
    do {
      return try rules.submission(for: request, at: now)
    } catch {
      throw .refused(error)
    }
  }

  private func device(for request: SubmissionRequest) throws(Failure) -> DeviceState? {
    let owners = try read { store throws(StoreFailure) in try store.owners() }
    if let runner = owners.first(where: \.isAtWork) { return runner.device }
    guard let job = jobSet.definition(for: request.identifier),
      !job.conditions.requiredResources.isEmpty || !request.requiredResources.isEmpty
    else { return nil }
    return readDevice()
  }

  private func commit(_ transitions: [Transition]) throws(Failure) -> [Verdict] {
    guard !transitions.isEmpty else { return [] }
    // A process that is stopped in the middle would lock everybody else out.
    return Suspension.deferred { store.commit(transitions, at: now, headLimit: 0).verdicts }
  }

  private func read<Value>(
    _ body: (any JobStore) throws(StoreFailure) -> Value
  ) throws(Failure) -> Value {
    do {
      return try body(store)
    } catch {
      throw .store(error)
    }
  }
}

extension RequestDesk {
  /// Answers a program's question; what goes wrong is an answer too.
  package func answer(_ question: SchedulerQuestion) -> SchedulerAnswer {
    do throws(Failure) {
      switch question {
      case .submit(let request): return .submitted(try submit(request).id)
      case .cancel(let identifier): return .cancelled(try cancel(identifier))
      case .pending: return .pending(try pending())
      }
    } catch {
      switch error {
      case .refused(let refusal): return .refused(refusal.namingPending)
      case .store(let failure): return .failed(failure.sentence)
      }
    }
  }
}

extension SubmissionError {
  /// The refusal in one sentence that also names what is pending, for a reader without a table.
  fileprivate var namingPending: SubmissionError {
    guard !pending.isEmpty else { return self }
    let names = pending.prefix(10).map {
      $0.key.isEmpty ? $0.identifier.text : "\($0.identifier) with key \($0.key)"
    }
    let more = pending.count > names.count ? " and \(pending.count - names.count) more" : ""
    return SubmissionError(code, "\(sentence); pending: \(names.joined(separator: ", "))\(more)")
  }
}
