import JobModel

/// What has come of the runs so far.
struct Tally: Hashable, Sendable {
  var succeeded = 0
  /// Requests that have failed for good.
  var failed = 0
  /// Requests whose last run failed and that wait for their retry.
  var retrying: Set<RequestID> = []
  /// Why `--now` was refused (PL19).
  var refusal: String?
  /// The handler whose overrun ends the process (EM1).
  var overranFirst: Overrun?
  /// What made the engine give its store up.
  var storeFailure: StoreFailure?

  mutating func count(_ end: RunEnd, of request: RequestRecord) {
    switch end.outcome {
    case .succeeded:
      succeeded += 1
      retrying.remove(request.id)
    case .failed, .crashed, .expired, .terminated, .cancelled:
      switch end.next {
      case .final:
        failed += 1
        retrying.remove(request.id)
      case .again(_, _, let attempt, _):
        // What was put back as it was has not failed (LC9).
        if attempt != request.attempt { retrying.insert(request.id) }
      }
    case .interrupted, .skipped: break
    }
  }
}

extension Session {
  mutating func finishIfDone(at now: Now) {
    switch phase {
    case .finished: return
    case .stopping(_, let bound):
      guard bound <= now.monotonic || isQuiet else { return }
      // A process that ends takes its handlers along: there is nothing to stay for.
      if !overruns.isEmpty, tally.overranFirst == nil {
        phase = .overstaying
        report(.overstaying(overruns))
        actions.append(.release(summary(at: now)))
        return
      }
    case .overstaying:
      guard isQuiet else { return }
    case .working:
      guard tally.refusal != nil || hasReachedModesEnd(at: now) else {
        return reportWaitForHeld(at: now)
      }
    }
    phase = .finished
    proposals = []
    actions.append(.finish(summary(at: now)))
  }

  /// Whether nothing runs and nothing is under way.
  private var isQuiet: Bool {
    runs.isEmpty && leasingJobs.isEmpty && batches.isEmpty && proposals.isEmpty
      && adoptedEnds.isEmpty && (held.isEmpty || !waitsForHeld)
  }

  /// BG1, but a second signal waits for nothing (PL14).
  private var waitsForHeld: Bool {
    switch phase {
    case .working, .stopping(.graceful, _): true
    case .stopping(.immediate, _), .overstaying, .finished: false
    }
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
    case .probing(_, let since, _): isQuiet || isStoreGivenUp(since, at: now)
    case .failing(_, let since, _, _): isStoreGivenUp(since, at: now)
    }
  }

  private func isStoreGivenUp(_ since: MonotonicInstant, at now: Now) -> Bool {
    now.monotonic >= since + Self.patienceWithStore && runs.values.allSatisfy(\.isEnding)
      && held.isEmpty
  }

  private var isAwaitingFreeSpace: Bool { freeSpace.read != freeSpace.observed }

  private func canStillRun(_ job: JobIndex) -> Bool {
    jobs[job].entry != nil && !jobs[job].isDisabled && isSelected(job)
  }

  private func summary(at now: Now) -> Summary {
    var summary = Summary()
    summary.succeeded = tally.succeeded
    summary.failed = tally.failed + tally.retrying.count
    summary.refusal = tally.refusal
    summary.overran = tally.overranFirst
    summary.overruns = overruns
    summary.storeFailure = tally.storeFailure
    switch storeHealth {
    case .working: break
    case .probing(let failure, _, _): if !isQuiet { summary.storeFailure = failure }
    case .failing(let failure, _, _, _): summary.storeFailure = failure
    }
    for job in jobs.sorted(pendingJobs) where isSelected(job) {
      let evaluation = gates(of: job, at: now)
      summary.waiting += jobs[job].snapshot.heads.compactMap { head in
        evaluation.firstUnmet(for: head).map {
          Summary.Waiting(identifier: head.identifier, key: head.key, gate: $0.verdict)
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
    case .launching, .running, .expiring, .overrunning, .killing: false
    }
  }
}
