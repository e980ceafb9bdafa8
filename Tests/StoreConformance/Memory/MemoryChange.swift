import JobModel

/// What one transaction in memory has done so far.
struct MemoryChange {
  /// The identifiers that its transitions named, refused ones too.
  var touched: Set<JobIdentifier> = []
  var changed: Set<JobIdentifier> = []
  var hasChanges = false
  var recordedTime: WallInstant

  init(recordedTime: WallInstant) {
    self.recordedTime = recordedTime
  }

  mutating func note(_ identifier: JobIdentifier) {
    changed.insert(identifier)
    hasChanges = true
  }
}

/// The transitions: each checks everything first, so that a refused one has changed nothing.
extension MemoryContents {
  mutating func apply(_ transition: Transition, in change: inout MemoryChange) -> Verdict {
    switch transition {
    case .submit(let submission): submit(submission, in: &change)
    case .recordInstants(let recording): record(recording, in: &change)
    case .claim(let claim): self.claim(claim, in: &change)
    case .begin(let start): begin(start, in: &change)
    case .release(let release): self.release(release, in: &change)
    case .beginExpiring(let warning): beginExpiring(warning, in: &change)
    case .end(let end): self.end(end, in: &change)
    case .stall(let recording): stall(recording, in: &change)
    case .goOnWaiting(let run): goOnWaiting(for: run, in: &change)
    case .requestStop(let stop): requestStop(stop, in: &change)
    case .cancel(let cancellation): cancel(cancellation, in: &change)
    case .close(let closing): close(closing, in: &change)
    case .decide(let request): decide(request, in: &change)
    case .switchJob(let jobSwitch): switchJob(jobSwitch, in: &change)
    case .progress(let recording): progress(recording, in: &change)
    case .prune(let identifier, let limit): prune(identifier, endedBefore: limit, in: &change)
    case .resetRecordedTime(let instant): resetRecordedTime(instant, in: &change)
    }
  }

  private mutating func resetRecordedTime(
    _ instant: WallInstant, in change: inout MemoryChange
  ) -> Verdict {
    change.recordedTime = instant
    change.hasChanges = true
    return .applied(.done)
  }

  mutating func ensureJob(_ identifier: JobIdentifier) {
    if jobs[identifier] == nil { jobs[identifier] = MemoryJob(identifier) }
  }

  mutating func append(_ row: HistoryRow) {
    jobs[row.identifier]!.append(row)
  }
}
