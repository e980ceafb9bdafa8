internal import JobModel

/// Transitions of runs.
extension StoreChange {
  /// ST1, SB1.
  mutating func claim(_ claim: Claim) throws(SQLiteError) -> Verdict {
    touch(claim.identifier)
    guard let host = try host(of: claim.owner) else { return .refused(.ownerDeparted) }
    guard let (job, request) = try pendingRequest(claim.request) else {
      return .refused(.notPending)
    }
    let running = try connection.statement("SELECT number FROM run WHERE job = ? AND key = ?")
      .first(.integer(job), .text(request.key)) { RunNumber($0.integer(0)) }
    if let running { return .refused(.keyIsRunning(running)) }
    let run = nextRun()
    try connection.statement(
      "UPDATE OR FAIL request SET is_running = 1, starts = starts + 1 WHERE id = ?"
    ).run(.integer(request.id.value))
    try connection.statement(
      """
      INSERT OR FAIL INTO run (number, request, job, key, owner, host, started_at, is_leased)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """
    ).run(
      .integer(run.value), .integer(request.id.value), .integer(job), .text(request.key),
      .integer(claim.owner.value), .text(host), .integer(claim.startedAt.microseconds),
      SQLiteValue(claim.isLease))
    if !claim.isLease { noteStart(at: claim.startedAt, of: job) }
    noteChange(of: job)
    return .applied(.claimed(run))
  }

  /// ST1, ST3.
  mutating func begin(_ start: RunStart) throws(SQLiteError) -> Verdict {
    switch try liveRun(start.run, of: start.owner) {
    case .refused(let refusal): return .refused(refusal)
    case .found(let live):
      guard live.record.isLeased else { return .refused(.hasStarted) }
      try connection.statement("UPDATE run SET started_at = ?, is_leased = 0 WHERE number = ?")
        .run(.integer(start.startedAt.microseconds), .integer(start.run.value))
      noteStart(at: start.startedAt, of: live.job)
      noteChange(of: live.job)
      return .applied(.done)
    }
  }

  /// SB1.
  mutating func release(_ release: RunRelease) throws(SQLiteError) -> Verdict {
    let live: LiveRun
    switch try liveRun(release.run, of: release.owner) {
    case .refused(let refusal): return .refused(refusal)
    case .found(let run): live = run
    }
    guard live.record.isLeased else { return .refused(.hasStarted) }
    var request = live.record.request
    request.starts -= 1
    try connection.statement("DELETE FROM run WHERE number = ?").run(.integer(release.run.value))
    let newer = try connection.statement(Self.unstartedText)
      .first(.integer(live.job), .text(request.key)) { _ in true }
    if request.isUnstartedSubmission, newer != nil {
      try closeWithoutRun(
        request, of: live.job, outcome: .cancelled, reason: .replaced, detail: nil, at: release.at)
    } else {
      try connection.statement(
        "UPDATE request SET is_running = 0, starts = starts - 1 WHERE id = ?"
      ).run(.integer(request.id.value))
    }
    noteChange(of: live.job)
    return .applied(.done)
  }

  /// LC4.
  mutating func beginExpiring(_ warning: BeginExpiring) throws(SQLiteError) -> Verdict {
    switch try liveRun(warning.run, of: warning.owner) {
    case .refused(let refusal): return .refused(refusal)
    case .found(let live):
      try connection.statement(
        """
        UPDATE run SET expiring_reason = ?, expiring_since = ?, grace_ends = ? WHERE number = ?
        """
      ).run(
        .text(warning.expiring.reason.rawValue), .integer(warning.expiring.since.microseconds),
        .integer(warning.expiring.graceEnds.microseconds), .integer(warning.run.value))
      noteChange(of: live.job)
      return .applied(.done)
    }
  }

  /// ST1, LC9, PL16.
  mutating func end(_ end: RunEnd) throws(SQLiteError) -> Verdict {
    let live: LiveRun
    switch try liveRun(end.run, of: end.owner) {
    case .refused(let refusal): return .refused(refusal)
    case .found(let run): live = run
    }
    try connection.statement("DELETE FROM run WHERE number = ?").run(.integer(end.run.value))
    if live.record.isLeased, let start = end.startedAt { noteStart(at: start, of: live.job) }
    try append(
      HistoryRow(sequence: 0, ending: live.record, with: end, host: live.host), of: live.job)
    let request = live.record.request
    switch end.next {
    case .final:
      try removeRequest(request.id)
      if end.outcome == .succeeded {
        noteSuccess(at: end.endedAt, of: live.job)
      }
    case .again(let notBefore, let floor, let attempt, let returnsInRow):
      try connection.statement(
        """
        UPDATE request SET is_running = 0, not_before = ?, floor = ?, attempt = ?,
          returns_in_row = ?, queue = ? WHERE id = ?
        """
      ).run(
        .integer(notBefore.microseconds), .text(floor.rawValue), .integer(Int64(attempt)),
        .integer(Int64(returnsInRow)),
        .integer(QueueNumber(request.gateClass, key: request.key).decided.value),
        .integer(request.id.value))
    }
    noteChange(of: live.job)
    return .applied(.done)
  }

  mutating func requestStop(_ stop: StopRequest) throws(SQLiteError) -> Verdict {
    switch try liveRun(stop.run, of: nil) {
    case .refused(let refusal): return .refused(refusal)
    case .found(let live):
      guard stop.reason != .progressStalled || live.record.stalledSince != nil else {
        return .refused(.notStalled)
      }
      try connection.statement("UPDATE run SET stop_requested = ? WHERE number = ?")
        .run(.text(stop.reason.rawValue), .integer(stop.run.value))
      noteChange(of: live.job)
      return .applied(.done)
    }
  }

  /// CP3.
  mutating func stall(_ recording: StallRecording) throws(SQLiteError) -> Verdict {
    try setStall(of: recording.run, by: recording.owner, since: recording.since)
  }

  /// CP3.
  mutating func goOnWaiting(for run: RunNumber) throws(SQLiteError) -> Verdict {
    try setStall(of: run, by: nil, since: nil)
  }

  private mutating func setStall(
    of run: RunNumber, by owner: Fence?, since: WallInstant?
  ) throws(SQLiteError) -> Verdict {
    switch try liveRun(run, of: owner) {
    case .refused(let refusal): return .refused(refusal)
    case .found(let live):
      try connection.statement("UPDATE run SET stalled_since = ? WHERE number = ?")
        .run(SQLiteValue(since?.microseconds), .integer(run.value))
      noteChange(of: live.job)
      return .applied(.done)
    }
  }

  mutating func progress(_ recording: ProgressRecording) throws(SQLiteError) -> Verdict {
    switch try liveRun(recording.run, of: recording.owner) {
    case .refused(let refusal): return .refused(refusal)
    case .found(let live):
      try connection.statement(
        """
        UPDATE run SET progress = coalesce(?, progress), title = coalesce(?, title),
          subtitle = coalesce(?, subtitle) WHERE number = ?
        """
      ).run(
        SQLiteValue(recording.fraction), SQLiteValue(recording.title),
        SQLiteValue(recording.subtitle), .integer(recording.run.value))
      noteChange(of: live.job)
      return .applied(.done)
    }
  }

  /// A live run with what the store keeps beside its record.
  private struct LiveRun {
    var job: Int64
    var host: String
    var record: RunRecord
  }

  private enum LiveRunSearch {
    case found(LiveRun)
    case refused(Verdict.Refusal)
  }

  /// The live run, when it is `owner`'s; nil is any owner's. Its identifier counts as touched, that
  /// of an ended run too.
  private mutating func liveRun(
    _ run: RunNumber, of owner: Fence?
  ) throws(SQLiteError) -> LiveRunSearch {
    let place = RunColumns.firstOfRequest + RequestColumns.count
    let live = try connection.statement(Self.runText).first(.integer(run.value)) { row in
      LiveRun(
        job: row.integer(place), host: row.text(place + 1),
        record: RunColumns.read(row, of: JobIdentifier(row.text(place + 2))))
    }
    if let live {
      touch(live.record.request.identifier)
    } else {
      let ended = try connection.statement(Self.endedIdentifierText)
        .first(.integer(run.value)) { JobIdentifier($0.text(0)) }
      if let ended { touch(ended) }
    }
    if let owner, try host(of: owner) == nil { return .refused(.ownerDeparted) }
    guard let live else { return .refused(.notRunning) }
    guard owner == nil || live.record.owner == owner else { return .refused(.staleFence) }
    return .found(live)
  }

  static let runText = """
    SELECT \(RunColumns.list), run.job, run.host, job.identifier
    FROM run JOIN request ON request.id = run.request JOIN job ON job.id = run.job
    WHERE run.number = ?
    """

  static let endedIdentifierText = """
    SELECT job.identifier FROM history JOIN job ON job.id = history.job WHERE history.run = ?
    """
}
