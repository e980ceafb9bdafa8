import JobModel

extension Session {
  /// The most that one request for more time is granted, unless the job's own limit is longer.
  private static let longestExtension = Duration.seconds(3600)

  mutating func progressed(_ number: RunNumber, _ progress: ProgressReport, at now: Now) {
    guard let run = runs[number] else { return }
    switch run.phase {
    case .launching, .running, .expiring, .overrunning, .killing: break
    case .ending: return
    }
    let hasMoved = runs[number]?.progress.take(progress, at: now.monotonic) ?? false
    report(.runProgressed(number, progress))
    if hasMoved { bear(number, at: now) }
    if let extending = progress.extending { extend(number, by: extending, at: now) }
    if let due = runs[number]?.progress.dueAt, due <= now.monotonic {
      flushProgress(of: number, at: now)
    }
    updateTimer(of: number)
  }

  /// EXTEND_TIMEOUT_USEC: the run has at least the granted interval from now on; it has to ask
  /// again before that is over (LC3, CP3).
  private mutating func extend(_ number: RunNumber, by interval: Duration, at now: Now) {
    guard let job = runs[number]?.job, interval > .zero else { return }
    let own = job.kind == .continuedProcessing ? job.stallAfter : job.timeLimit
    let granted = min(interval, max(own ?? .zero, Self.longestExtension))
    runs[number]?.updateWatch { watch in
      watch.limit = watch.limit.map { max($0, now.monotonic + granted) }
    }
    bear(number, until: now.monotonic + granted, at: now)
  }

  /// Proposes what the store doesn't know yet; at most once a second for each run.
  mutating func flushProgress(of number: RunNumber, at now: Now) {
    guard let run = runs[number] else { return }
    runs[number]?.progress.dueAt = nil
    recordStart(of: number)
    // A store in trouble gets only ends; the last progress is in them.
    guard mayPropose else { return }
    runs[number]?.progress.proposedAt = now.monotonic
    propose(
      .progress(
        ProgressRecording(
          run: number, owner: fence, fraction: run.progress.fraction, title: run.progress.title,
          subtitle: run.progress.subtitle)),
      for: .progress(number))
  }
}
