internal import JobModel

/// Ending what waits before it starts (CP5): it may be very much, so it never passes through memory.
extension StoreChange {
  mutating func cancel(_ cancellation: Cancellation) throws(SQLiteError) -> Verdict {
    touch(cancellation.identifier)
    guard let job = try job(cancellation.identifier) else { return .applied(.counted(0)) }
    let isEveryKey = cancellation.key == nil
    try connection.statement(isEveryKey ? Self.closeAllText : Self.closeKeyText).run(
      .integer(job), SQLiteValue(cancellation.key), .integer(cancellation.at.microseconds),
      .text(Outcome.cancelled.rawValue), .text(cancellation.reason.rawValue))
    let count = connection.changedRows
    guard count > 0 else { return .applied(.counted(0)) }
    try connection.statement(isEveryKey ? Self.removeAllText : Self.removeKeyText)
      .run(.integer(job), SQLiteValue(cancellation.key))
    noteEnd(outcome: .cancelled, reason: cancellation.reason, of: job)
    noteChange(of: job)
    return .applied(.counted(count))
  }

  /// The rows that `HistoryRow.init(closing:)` would make, in the order of the requests' numbers.
  private static func closing(_ selection: String) -> String {
    """
    INSERT INTO history (job, key, attempt, submitted_at, scheduled_at, ended_at, outcome, reason,
      count, was_killed)
    SELECT job, key, 0, submitted_at, coalesce(nominal_instant, not_before), ?3, ?4, ?5, 1, 0
    FROM request WHERE id IN (\(selection)) ORDER BY id
    """
  }

  private static let allPending = """
    SELECT id FROM request WHERE job = ?1 AND is_running = 0 AND ?2 IS NULL
    """

  /// The two indexes of keys together hold every pending request.
  private static let keyPending = """
    SELECT id FROM request WHERE job = ?1 AND key = ?2 AND origin = 'submission' AND starts = 0
    UNION ALL
    SELECT id FROM request
    WHERE job = ?1 AND key = ?2 AND is_running = 0 AND (origin <> 'submission' OR starts > 0)
    """

  static let closeAllText = closing(allPending)
  static let closeKeyText = closing(keyPending)
  static let removeAllText = "DELETE FROM request WHERE id IN (\(allPending))"
  static let removeKeyText = "DELETE FROM request WHERE id IN (\(keyPending))"
}
