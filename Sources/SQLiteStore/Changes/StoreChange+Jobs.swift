internal import JobModel

/// Transitions of what the store remembers of a job: its anchor, its switch, its history.
extension StoreChange {
  /// PL9, PL11.
  mutating func record(_ recording: InstantRecording) throws(SQLiteError) -> Verdict {
    touch(recording.identifier)
    let known = try job(recording.identifier)
    let anchor = try known.flatMap { (job) throws(SQLiteError) in try self.anchor(of: job) }
    guard anchor == recording.expectedAnchor else { return .refused(.anchorMoved(anchor)) }
    var instants: Set<WallInstant> = []
    for instant in recording.requests.compactMap(\.origin.nominalInstant) {
      guard instants.insert(instant).inserted else { return .refused(.instantExists) }
      if let known, try isRecorded(instant, of: known) { return .refused(.instantExists) }
    }
    var superseded: Set<RequestID> = []
    for id in recording.superseded {
      guard let (job, request) = try pendingRequest(id), job == known, request.starts == 0,
        superseded.insert(id).inserted
      else { return .refused(.notPending) }
    }
    let job = try ensureJob(recording.identifier)
    for id in recording.superseded { try removeRequest(id) }
    for request in recording.requests { try store(request, of: job) }
    if let skipped = recording.skipped {
      try append(
        HistoryRow(
          sequence: 0, skipping: skipped, of: recording.identifier, at: recording.recordedAt),
        of: job)
    }
    try connection.statement("UPDATE job SET anchor = ?, schedule_fingerprint = ? WHERE id = ?")
      .run(
        .integer(recording.newAnchor.microseconds), .text(recording.scheduleFingerprint),
        .integer(job))
    noteChange(of: job)
    return .applied(.done)
  }

  /// SB10.
  mutating func switchJob(_ jobSwitch: JobSwitch) throws(SQLiteError) -> Verdict {
    touch(jobSwitch.identifier)
    var isEnabled = true
    if let known = try job(jobSwitch.identifier) {
      isEnabled =
        try connection.statement("SELECT disabled_since IS NULL FROM job WHERE id = ?")
        .first(.integer(known)) { $0.isTrue(0) } ?? true
    }
    guard isEnabled != jobSwitch.isEnabled else { return .applied(.done) }
    let job = try ensureJob(jobSwitch.identifier)
    try connection.statement("UPDATE job SET disabled_since = ? WHERE id = ?").run(
      jobSwitch.isEnabled ? .null : .integer(jobSwitch.at.microseconds), .integer(job))
    noteChange(of: job)
    return .applied(.done)
  }

  /// DU5.
  mutating func prune(
    _ identifier: JobIdentifier, endedBefore limit: WallInstant
  ) throws(SQLiteError) -> Verdict {
    touch(identifier)
    guard let job = try job(identifier) else { return .applied(.pruned([])) }
    let runs = try connection.statement(Self.pruneText)
      .all(.integer(job), .integer(limit.microseconds)) { $0.optionalInteger(0) }
    guard !runs.isEmpty else { return .applied(.pruned([])) }
    try connection.statement("DELETE FROM recorded_instant WHERE job = ? AND instant < ?")
      .run(.integer(job), .integer(limit.microseconds))
    noteChange(of: job)
    return .applied(.pruned(runs.compactMap { $0.map { RunNumber($0) } }.sorted()))
  }

  private func anchor(of job: Int64) throws(SQLiteError) -> WallInstant? {
    try connection.statement("SELECT anchor FROM job WHERE id = ?")
      .first(.integer(job)) { $0.optionalInteger(0).map { WallInstant(microseconds: $0) } } ?? nil
  }

  /// Walks from the oldest row to the first that stays, however long the history is.
  static let pruneText = """
    DELETE FROM history WHERE sequence IN (
      SELECT sequence FROM history AS old WHERE old.job = ?1
        AND old.sequence < coalesce(
          (SELECT sequence FROM history WHERE job = ?1 AND ended_at >= ?2 ORDER BY sequence LIMIT 1),
          9223372036854775807)
        AND old.sequence <> (SELECT max(sequence) FROM history WHERE job = ?1)
        AND old.sequence IS NOT (
          SELECT sequence FROM history WHERE job = ?1 AND run IS NOT NULL
          ORDER BY sequence DESC LIMIT 1))
    RETURNING run
    """
}
