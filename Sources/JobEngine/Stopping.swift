import JobModel

extension Session {
  /// Time beyond the longest grace in which a stop is over (PL14).
  static let stopSlack = Duration.seconds(2)

  mutating func stop(_ urgency: StopUrgency, at now: Now) {
    switch (phase, urgency) {
    case (.finished, _), (.stopping(.immediate, _), _), (.stopping(.graceful, _), .graceful):
      return
    case (.working, _), (.stopping(.graceful, _), .immediate): break
    }
    if phase.isWorking {
      settleDisabledInstants(at: now)
      releaseAllLeases(at: now)
    }
    let numbers = runs.keys.sorted()
    for number in numbers {
      expire(number, Ending.Expiration(reason: .shutdown), at: now)
      if urgency == .immediate { kill(number) }
    }
    let grace = numbers.map { remainingGrace(of: $0, at: now) }.max() ?? .zero
    phase = .stopping(urgency, bound: now.monotonic + grace + Self.stopSlack)
    report(.stopping(urgency, running: runs.count))
    actions.append(.extendStop(grace + Self.stopSlack))
  }

  /// Somebody took this owner for dead: what runs here isn't ours any more (ST1).
  mutating func leaveToOthers(at now: Now) {
    tally.storeFailure = StoreFailure(
      cause: .other,
      sentence: "another process took over the runs of this one, which stops; start it again")
    stop(.immediate, at: now)
  }

  private func remainingGrace(of number: RunNumber, at now: Now) -> Duration {
    guard case .expiring(_, let graceEnds) = runs[number]?.phase else { return .zero }
    return graceEnds - now.monotonic
  }

  /// Missed instants of jobs that are off become one row at a reload or stop (SB10).
  mutating func settleDisabledInstants(at now: Now) {
    guard mayPropose, !startsOnlyImmediate else { return }
    for identifier in jobs.keys.sorted() {
      guard let job = jobs[identifier], job.isDisabled, job.proposalsInFlight == 0,
        isSelected(job),
        let recording = instantPlanner(for: job, at: now)?.recordingOfDisabled()
      else { continue }
      propose(.recordInstants(recording), for: .record(identifier))
    }
  }
}
