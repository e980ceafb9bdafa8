import JobModel
import StoreConformance

/// One of each transition, ready to be proposed against the same prepared store.
enum TransitionCase: String, CaseIterable {
  case submit, recordInstants, claim, lease, begin, release, beginExpiring, stall, goOnWaiting, end
  case requestStop, cancel, close, decide, switchJob, progress, prune, resetRecordedTime

  /// What is in the prepared store.
  struct Stage {
    var owner: Owner
    /// Pending, with the key "waiting".
    var waiting: RequestID
    /// Live, with the key "running".
    var running: RunNumber
    /// Claimed ahead, with the key "leased".
    var leased: RunNumber

    /// A pending request, a live run, one that is claimed ahead and two ended ones of `thumbnails`.
    init(in store: any JobStore, owner: Owner) throws {
      self.owner = owner
      for _ in 0..<2 {
        let run = try store.claim(try store.submit(.of(key: "ended")), by: owner)
        _ = try store.propose(.end(.of(run, by: owner)))
      }
      running = try store.claim(try store.submit(.of(key: "running")), by: owner)
      _ = try store.propose(
        .stall(StallRecording(run: running, owner: owner.fence, since: .noon - .seconds(30))))
      leased = try store.lease(try store.submit(.of(key: "leased")), by: owner)
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
    case .lease:
      return .claim(
        Claim(
          request: stage.waiting, identifier: .thumbnails, owner: stage.owner.fence,
          startedAt: .noon, isLease: true))
    case .begin:
      return .begin(RunStart(run: stage.leased, owner: stage.owner.fence, startedAt: .noon))
    case .release:
      return .release(.of(stage.leased, by: stage.owner))
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
    case .submit: .applied(.submitted(RequestID(6), replaced: RequestID(5)))
    case .claim, .lease: .applied(.claimed(RunNumber(5)))
    case .cancel: .applied(.counted(1))
    case .prune: .applied(.pruned([RunNumber(1)]))
    case .recordInstants, .begin, .release, .beginExpiring, .stall, .goOnWaiting, .end,
      .requestStop, .close, .decide, .switchJob, .progress, .resetRecordedTime:
      .applied(.done)
    }
  }

  /// The verdict once another process has had the same transition applied.
  var stale: Verdict {
    switch self {
    case .submit: .applied(.submitted(RequestID(7), replaced: RequestID(6)))
    case .recordInstants: .refused(.anchorMoved(.noon))
    case .claim, .lease, .close: .refused(.notPending)
    case .begin: .refused(.hasStarted)
    case .end, .release: .refused(.notRunning)
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
    case .claim, .lease, .begin, .release, .beginExpiring, .stall, .end, .progress: true
    case .submit, .recordInstants, .goOnWaiting, .requestStop, .cancel, .close, .decide,
      .switchJob, .prune, .resetRecordedTime:
      false
    }
  }
}
