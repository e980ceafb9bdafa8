import JobModel

/// What has come of the runs so far.
struct Tally: Hashable, Sendable {
  var succeeded = 0
  /// Requests whose last run failed; a retry that succeeds takes one out.
  var failedRequests: Set<RequestID> = []
  var refusal: String?

  mutating func count(_ end: RunEnd, of request: RequestRecord) {
    switch end.outcome {
    case .succeeded:
      succeeded += 1
      failedRequests.remove(request.id)
    case .failed, .crashed, .expired, .terminated, .cancelled:
      if !end.next.keepsAttempt(of: request) { failedRequests.insert(request.id) }
    case .interrupted, .skipped: break
    }
  }
}

extension RunEnd.Disposition {
  /// Whether the request was put back as it was (LC9).
  func keepsAttempt(of request: RequestRecord) -> Bool {
    switch self {
    case .final: false
    case .again(_, _, let attempt, _): attempt == request.attempt
    }
  }
}

extension Session {
  mutating func finishIfDone(at now: Now) {
    switch phase {
    case .finished: return
    case .stopping(_, let bound):
      guard bound <= now.monotonic || isQuiet else { return }
    case .working:
      guard tally.refusal != nil || hasReachedModesEnd(at: now) else { return }
    }
    phase = .finished
    proposals = []
    actions.append(.finish(summary(at: now)))
  }

  /// Whether nothing runs and nothing is under way.
  private var isQuiet: Bool {
    runs.isEmpty && batches.isEmpty && proposals.isEmpty && adoptedEnds.isEmpty
  }

  private func hasReachedModesEnd(at now: Now) -> Bool {
    switch configuration.mode {
    case .continuous: return false
    case .once: return isQuietOrGivenUp(at: now) && !isAwaitingFreeSpace
    case .drain:
      return isQuietOrGivenUp(at: now)
        && (startsOnlyImmediate || !pendingJobs.contains(where: canStillRun))
    }
  }

  /// A store that stays broken ends `--once` and `--drain`, once no run needs it (PL14).
  private func isQuietOrGivenUp(at now: Now) -> Bool {
    switch storeHealth {
    case .working: isQuiet
    case .failing(_, let since, _, _), .probing(_, let since, _):
      now.monotonic >= since + Self.patienceWithStore && runs.values.allSatisfy(\.isEnding)
    }
  }

  private var isAwaitingFreeSpace: Bool { freeSpace.read != freeSpace.observed }

  private func canStillRun(_ identifier: JobIdentifier) -> Bool {
    guard let job = jobs[identifier], job.definition != nil else { return false }
    return !job.isDisabled && isSelected(identifier, job.definition)
  }

  private func summary(at now: Now) -> Summary {
    var summary = Summary()
    summary.succeeded = tally.succeeded
    summary.failed = tally.failedRequests.count
    summary.refusal = tally.refusal
    switch storeHealth {
    case .working: break
    case .failing(let failure, _, _, _), .probing(let failure, _, _):
      summary.storeFailure = failure
    }
    for identifier in pendingJobs.sorted() {
      guard let job = jobs[identifier], isSelected(identifier, job.definition) else { continue }
      let evaluation = gates(of: job, at: now)
      summary.waiting += job.snapshot.heads.compactMap { head in
        evaluation.firstUnmet(for: head).map {
          Summary.Waiting(identifier: identifier, key: head.key, gate: $0)
        }
      }
    }
    return summary
  }
}

extension LiveRun {
  var isEnding: Bool {
    switch phase {
    case .ending: true
    case .launching, .running, .expiring, .killing: false
    }
  }
}
