import JobModel
import StoreConformance

/// One of each transition, ready to be proposed against the same prepared store.
enum TransitionCase: String, CaseIterable {
  case submit, recordInstants, claim, beginExpiring, stall, goOnWaiting, end, requestStop, cancel
  case close, decide, switchJob, progress, prune, resetRecordedTime

  /// What is in the prepared store.
  struct Stage {
    var owner: Owner
    /// Pending, with the key "waiting".
    var waiting: RequestID
    /// Live, with the key "running".
    var running: RunNumber

    /// A pending request, a live run and two ended ones of `thumbnails`.
    init(in store: any JobStore, owner: Owner) throws {
      self.owner = owner
      for _ in 0..<2 {
        let run = try store.claim(try store.submit(.of(key: "ended")), by: owner)
        _ = try store.propose(.end(.of(run, by: owner)))
      }
      running = try store.claim(try store.submit(.of(key: "running")), by: owner)
      _ = try store.propose(
        .stall(StallRecording(run: running, owner: owner.fence, since: .noon - .seconds(30))))
      waiting = try store.submit(.of(key: "waiting"))
    }
  }

  func transition(on stage: Stage) -> Transition {
    switch self {
    case .submit:
      return .submit(.of(key: "waiting"))
    case .recordInstants:
      var recording = InstantRecording(
        identifier: .thumbnails, expectedAnchor: nil, newAnchor: .noon,
        scheduleFingerprint: "daily", recordedAt: .noon)
      recording.requests = [.instant(.noon, of: .thumbnails)]
      return .recordInstants(recording)
    case .claim:
      return .claim(
        Claim(
          request: stage.waiting, identifier: .thumbnails, owner: stage.owner.fence,
          startedAt: .noon))
    case .beginExpiring:
      let expiring = RunRecord.Expiring(reason: .timeLimit, since: .noon, graceEnds: .noon)
      return .beginExpiring(
        BeginExpiring(run: stage.running, owner: stage.owner.fence, expiring: expiring))
    case .stall:
      return .stall(StallRecording(run: stage.running, owner: stage.owner.fence, since: .noon))
    case .goOnWaiting:
      return .goOnWaiting(stage.running)
    case .end:
      return .end(.of(stage.running, by: stage.owner))
    case .requestStop:
      return .requestStop(StopRequest(run: stage.running, reason: .userCancelled))
    case .cancel:
      return .cancel(
        Cancellation(identifier: .thumbnails, key: "waiting", reason: .userCancelled, at: .noon))
    case .close:
      return .close(
        RequestClosing(request: stage.waiting, outcome: .skipped, reason: .tooLate, at: .noon))
    case .decide:
      return .decide(stage.waiting)
    case .switchJob:
      return .switchJob(JobSwitch(identifier: .thumbnails, isEnabled: false, at: .noon))
    case .progress:
      return .progress(
        ProgressRecording(
          run: stage.running, owner: stage.owner.fence, fraction: 0.5, title: nil, subtitle: nil))
    case .prune:
      return .prune(.thumbnails, endedBefore: .noon + .seconds(3600))
    case .resetRecordedTime:
      return .resetRecordedTime(.noon)
    }
  }

  /// The verdict in the prepared store.
  var fresh: Verdict {
    switch self {
    case .submit: .applied(.submitted(RequestID(5), replaced: RequestID(4)))
    case .claim: .applied(.claimed(RunNumber(4)))
    case .cancel: .applied(.counted(1))
    case .prune: .applied(.pruned([RunNumber(1)]))
    case .recordInstants, .beginExpiring, .stall, .goOnWaiting, .end, .requestStop, .close,
      .decide, .switchJob, .progress, .resetRecordedTime:
      .applied(.done)
    }
  }

  /// The verdict once another process has had the same transition applied.
  var stale: Verdict {
    switch self {
    case .submit: .applied(.submitted(RequestID(6), replaced: RequestID(5)))
    case .recordInstants: .refused(.anchorMoved(.noon))
    case .claim, .close: .refused(.notPending)
    case .end: .refused(.notRunning)
    case .cancel: .applied(.counted(0))
    case .prune: .applied(.pruned([]))
    case .beginExpiring, .stall, .goOnWaiting, .requestStop, .decide, .switchJob, .progress,
      .resetRecordedTime:
      .applied(.done)
    }
  }

  /// Whether it is an owner's, and refused once that owner has been adopted.
  var isFenced: Bool {
    switch self {
    case .claim, .beginExpiring, .stall, .end, .progress: true
    case .submit, .recordInstants, .goOnWaiting, .requestStop, .cancel, .close, .decide,
      .switchJob, .prune, .resetRecordedTime:
      false
    }
  }
}
