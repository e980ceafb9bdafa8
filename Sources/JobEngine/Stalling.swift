import JobModel

/// Runs that make no progress (CP3).
extension Session {
  /// The time without progress is over: whoever can be asked is, and otherwise the run expires.
  mutating func stalled(_ number: RunNumber, at now: Now) {
    guard let run = runs[number] else { return }
    guard attendance.interactive.contains(number) else {
      expire(number, Ending.Expiration(reason: .progressStalled), at: now)
      return
    }
    // The question goes through the store: without one, the person's work is given more time.
    guard mayPropose else { return bear(number, at: now) }
    let still = now.monotonic - run.lastMove
    let since = now.wall - still
    runs[number]?.updateWatch { $0.stall = .asked(since: since, isRecorded: false) }
    propose(
      .stall(StallRecording(run: number, owner: fence, since: since)), for: .stall(number))
    report(.runStalled(number, run.identifier, after: still))
  }

  /// The stall time starts again, or lasts until `granted` if that is later; a question that is
  /// open is taken back.
  mutating func bear(_ number: RunNumber, until granted: MonotonicInstant? = nil, at now: Now) {
    guard let run = runs[number], let stall = run.watch?.stall else { return }
    let fresh = granted ?? now.monotonic + (run.job.stallAfter ?? .zero)
    switch stall {
    case .borne(let until):
      runs[number]?.updateWatch { $0.stall = .borne(until: max(until, fresh)) }
    case .asked:
      runs[number]?.updateWatch { $0.stall = .borne(until: fresh) }
      withdrawQuestion(about: number)
    }
    updateTimer(of: number)
  }

  private mutating func withdrawQuestion(about number: RunNumber) {
    guard mayPropose else { return }
    propose(.stall(StallRecording(run: number, owner: fence, since: nil)), for: .stall(number))
  }

  /// Nobody is left to answer: the clock starts again, as kind to the work as an answer would be.
  mutating func takeQuestionBack(_ number: RunNumber, at now: Now) {
    guard case .asked? = runs[number]?.watch?.stall else { return }
    bear(number, at: now)
  }

  /// Followers can see that the run has stalled.
  mutating func stallRecorded(_ recording: StallRecording) {
    runs[recording.run]?.updateWatch { watch in
      guard case .asked(let since, _)? = watch.stall, since == recording.since else { return }
      watch.stall = .asked(since: since, isRecorded: true)
    }
  }

  /// The store didn't take the question: it can't be seen, so it isn't asked.
  mutating func stallNotRecorded(_ recording: StallRecording, at now: Now) {
    guard case .asked(let since, isRecorded: false)? = runs[recording.run]?.watch?.stall,
      since == recording.since, let stallAfter = runs[recording.run]?.job.stallAfter
    else { return }
    runs[recording.run]?.updateWatch { $0.stall = .borne(until: now.monotonic + stallAfter) }
    updateTimer(of: recording.run)
  }

  /// Takes in the answer of the person who was asked: the stall is no longer in the store.
  mutating func takeAnswer(of number: RunNumber, stalledSince recorded: WallInstant?, at now: Now) {
    guard let run = runs[number] else { return }
    switch run.watch?.stall {
    case .asked(let since, isRecorded: true)? where recorded != since:
      let until = now.monotonic + (run.entry.job.stallAfter ?? .zero)
      runs[number]?.updateWatch { $0.stall = .borne(until: until) }
      updateTimer(of: number)
    case .borne? where recorded != nil:
      // A store in trouble didn't learn that nobody is asked any more.
      withdrawQuestion(about: number)
    case .asked, .borne, nil: break
    }
  }
}
