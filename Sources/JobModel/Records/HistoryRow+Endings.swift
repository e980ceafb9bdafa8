extension HistoryRow {
  /// The row of a run that has ended (ST3).
  ///
  /// - Parameter host: name of the machine that claimed the run.
  package init(sequence: Int64, ending live: RunRecord, with end: RunEnd, host: String) {
    let request = live.request
    self.init(
      sequence: sequence, run: live.run, identifier: request.identifier, endedAt: end.endedAt,
      outcome: end.outcome)
    key = request.key
    attempt = request.attempt
    submittedAt = request.submittedAt
    scheduledAt = request.scheduledAt
    startedAt = end.startedAt ?? live.startedAt
    reason = end.reason
    detail = end.detail
    ending = end.ending
    progress = end.progress ?? live.progress
    self.host = host
    output = Self.outputPath(of: live.run, identifier: request.identifier)
  }

  /// The row of a pending request that ends without a run: cancelled, replaced, skipped, failed.
  package init(
    sequence: Int64, closing request: RequestRecord, outcome: Outcome, reason: Reason,
    detail: String?, at instant: WallInstant
  ) {
    self.init(
      sequence: sequence, run: nil, identifier: request.identifier, endedAt: instant,
      outcome: outcome)
    key = request.key
    submittedAt = request.submittedAt
    scheduledAt = request.scheduledAt
    self.reason = reason
    self.detail = detail
  }

  /// The row of instants that never run (PL9).
  package init(
    sequence: Int64, skipping instants: SkippedInstants, of identifier: JobIdentifier,
    at instant: WallInstant
  ) {
    self.init(
      sequence: sequence, run: nil, identifier: identifier, endedAt: instant,
      outcome: instants.outcome)
    scheduledAt = instants.last
    reason = instants.reason
    detail = instants.detail
    count = instants.count
  }

  /// Where a run's captured output is, relative to the state directory (DU5).
  package static func outputPath(of run: RunNumber, identifier: JobIdentifier) -> String {
    "output/\(identifier)/\(run).log"
  }
}

extension RequestRecord {
  /// The request that a submission becomes.
  package init(id: RequestID, _ submission: Submission) {
    self.init(
      id: id, identifier: submission.identifier, key: submission.key, kind: submission.kind,
      origin: submission.origin, submittedAt: submission.submittedAt,
      notBefore: submission.notBefore, floor: submission.floor, gateClass: submission.gateClass,
      parameters: submission.parameters, title: submission.title, subtitle: submission.subtitle,
      isUserInitiated: submission.isUserInitiated)
  }

  /// Whether it is a submission that hasn't started, of which a key has at most one (SB1).
  package var isUnstartedSubmission: Bool { origin == .submission && starts == 0 }

  /// The order in which pending requests become due: by instant, then by number.
  package static func isDueEarlier(_ left: RequestRecord, _ right: RequestRecord) -> Bool {
    (left.notBefore, left.id) < (right.notBefore, right.id)
  }
}
