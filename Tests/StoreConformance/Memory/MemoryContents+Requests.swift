import JobModel

/// Transitions of requests that don't run.
extension MemoryContents {
  mutating func submit(_ submission: Submission, in change: inout MemoryChange) -> Verdict {
    let identifier = submission.identifier
    change.touched.insert(identifier)
    if let instant = submission.origin.nominalInstant {
      guard jobs[identifier]?.hasRecorded(instant) != true else {
        return .refused(.instantExists)
      }
    }
    let replaced = jobs[identifier]?.pending.first {
      submission.origin == .submission && $0.isUnstartedSubmission && $0.key == submission.key
    }
    if let limit = submission.pendingLimit {
      let pending = pendingCount(of: submission.kind)
      let remaining = replaced?.kind == submission.kind ? pending - 1 : pending
      guard remaining < limit else { return .refused(.tooManyPending(pending)) }
    }
    ensureJob(identifier)
    if let replaced {
      closeWithoutRun(
        replaced, outcome: .cancelled, reason: .replaced, at: submission.submittedAt)
    }
    let id = store(submission)
    change.note(identifier)
    return .applied(.submitted(id, replaced: replaced?.id))
  }

  mutating func record(_ recording: InstantRecording, in change: inout MemoryChange) -> Verdict {
    let identifier = recording.identifier
    change.touched.insert(identifier)
    let anchor = jobs[identifier]?.record.anchor
    guard anchor == recording.expectedAnchor else { return .refused(.anchorMoved(anchor)) }
    var instants: Set<WallInstant> = []
    for instant in recording.requests.compactMap(\.origin.nominalInstant) {
      guard instants.insert(instant).inserted, jobs[identifier]?.hasRecorded(instant) != true else {
        return .refused(.instantExists)
      }
    }
    var superseded: [RequestRecord] = []
    for id in recording.superseded {
      guard let request = pendingRequest(id, in: &change), request.identifier == identifier,
        request.starts == 0, !superseded.contains(request)
      else { return .refused(.notPending) }
      superseded.append(request)
    }
    ensureJob(identifier)
    superseded.forEach { dequeue($0) }
    recording.requests.forEach { store($0) }
    if let skipped = recording.skipped {
      append(
        HistoryRow(
          sequence: nextSequence(), skipping: skipped, of: identifier, at: recording.recordedAt))
    }
    jobs[identifier]!.record.anchor = recording.newAnchor
    jobs[identifier]!.record.scheduleFingerprint = recording.scheduleFingerprint
    change.note(identifier)
    return .applied(.done)
  }

  mutating func cancel(_ cancellation: Cancellation, in change: inout MemoryChange) -> Verdict {
    change.touched.insert(cancellation.identifier)
    let ended = (jobs[cancellation.identifier]?.pending ?? [])
      .filter { cancellation.key == nil || $0.key == cancellation.key }
      .sorted { $0.id < $1.id }
    for request in ended {
      closeWithoutRun(
        request, outcome: .cancelled, reason: cancellation.reason, at: cancellation.at)
    }
    if !ended.isEmpty { change.note(cancellation.identifier) }
    return .applied(.counted(ended.count))
  }

  mutating func close(_ closing: RequestClosing, in change: inout MemoryChange) -> Verdict {
    guard let request = pendingRequest(closing.request, in: &change) else {
      return .refused(.notPending)
    }
    closeWithoutRun(
      request, outcome: closing.outcome, reason: closing.reason, detail: closing.detail,
      at: closing.at)
    change.note(request.identifier)
    return .applied(.done)
  }

  mutating func decide(_ id: RequestID, in change: inout MemoryChange) -> Verdict {
    guard let request = pendingRequest(id, in: &change) else { return .refused(.notPending) }
    let index = jobs[request.identifier]!.pending.firstIndex { $0.id == id }!
    jobs[request.identifier]!.pending[index].gateClass.isDecided = true
    change.note(request.identifier)
    return .applied(.done)
  }

  /// The request, when it is pending; its identifier counts as touched.
  func pendingRequest(_ id: RequestID, in change: inout MemoryChange) -> RequestRecord? {
    guard let identifier = identifiersByRequest[id] else { return nil }
    change.touched.insert(identifier)
    return jobs[identifier]!.pending.first { $0.id == id }
  }

  mutating func dequeue(_ request: RequestRecord) {
    jobs[request.identifier]!.dequeue(request.id)
    identifiersByRequest[request.id] = nil
  }

  @discardableResult
  private mutating func store(_ submission: Submission) -> RequestID {
    let request = RequestRecord(id: nextRequest(), submission)
    jobs[request.identifier]!.enqueue(request)
    if let instant = request.origin.nominalInstant {
      jobs[request.identifier]!.noteRecorded(instant)
    }
    identifiersByRequest[request.id] = request.identifier
    return request.id
  }

  mutating func closeWithoutRun(
    _ request: RequestRecord, outcome: Outcome, reason: Reason, detail: String? = nil,
    at instant: WallInstant
  ) {
    dequeue(request)
    append(
      HistoryRow(
        sequence: nextSequence(), closing: request, outcome: outcome, reason: reason,
        detail: detail, at: instant))
  }

  private func pendingCount(of kind: JobKind) -> Int {
    jobs.values.reduce(0) { count, job in count + job.pending.count { $0.kind == kind } }
  }
}
