internal import JobModel

/// A request as columns, in one order for writing and reading.
enum RequestColumns {
  /// Every column that a record is read from.
  static let list = """
    request.id, request.key, request.kind, request.origin, request.nominal_instant, \
    request.submitted_at, request.not_before, request.floor, request.queue, request.attempt, \
    request.starts, request.returns_in_row, request.parameters, request.title, \
    request.subtitle, request.is_user_initiated
    """
  static let count = 16

  /// - Parameter first: place of the first of the columns in the row.
  static func read(
    _ row: SQLiteRow, from first: Int = 0, of identifier: JobIdentifier
  ) -> RequestRecord {
    let nominal = row.optionalInteger(first + 4).map { WallInstant(microseconds: $0) }
    let origin: RequestOrigin =
      switch (row.text(first + 3), nominal) {
      case ("instant", let instant?): .instant(instant)
      case ("predecessors", let instant?): .predecessors(instant)
      default: .submission
      }
    return RequestRecord(
      id: RequestID(row.integer(first)), identifier: identifier, key: row.text(first + 1),
      kind: JobKind(rawValue: row.text(first + 2)) ?? .processing, origin: origin,
      submittedAt: WallInstant(microseconds: row.integer(first + 5)),
      notBefore: WallInstant(microseconds: row.integer(first + 6)),
      floor: row.optionalText(first + 7).flatMap { Reason(rawValue: $0) },
      gateClass: QueueNumber(row.integer(first + 8)).gateClass,
      attempt: Int(row.integer(first + 9)), starts: Int(row.integer(first + 10)),
      returnsInRow: Int(row.integer(first + 11)), parameters: row.optionalText(first + 12),
      title: row.optionalText(first + 13), subtitle: row.optionalText(first + 14),
      isUserInitiated: row.isTrue(first + 15))
  }

  static func name(of origin: RequestOrigin) -> String {
    switch origin {
    case .submission: "submission"
    case .instant: "instant"
    case .predecessors: "predecessors"
    }
  }
}

/// A live run as columns, with its request's behind them.
enum RunColumns {
  static let list = """
    run.number, run.owner, run.started_at, run.expiring_reason, run.expiring_since, \
    run.grace_ends, run.stop_requested, run.progress, run.title, run.subtitle, \
    run.stalled_since, run.is_leased, \(RequestColumns.list)
    """
  static let firstOfRequest = 12

  static func read(_ row: SQLiteRow, of identifier: JobIdentifier) -> RunRecord {
    let expiring = row.optionalText(3).flatMap { Reason(rawValue: $0) }.map { reason in
      RunRecord.Expiring(
        reason: reason, since: WallInstant(microseconds: row.integer(4)),
        graceEnds: WallInstant(microseconds: row.integer(5)))
    }
    return RunRecord(
      run: RunNumber(row.integer(0)),
      request: RequestColumns.read(row, from: firstOfRequest, of: identifier),
      owner: Fence(row.integer(1)), startedAt: WallInstant(microseconds: row.integer(2)),
      isLeased: row.isTrue(11), expiring: expiring,
      stopRequested: row.optionalText(6).flatMap { Reason(rawValue: $0) },
      stalledSince: row.optionalInteger(10).map { WallInstant(microseconds: $0) },
      progress: row.optionalReal(7), title: row.optionalText(8), subtitle: row.optionalText(9))
  }
}
