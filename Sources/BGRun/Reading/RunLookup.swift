import JobModel

/// One run, wherever it stands.
enum FoundRun {
  case live(RunRecord)
  case ended(HistoryRow)

  var number: RunNumber? {
    switch self {
    case .live(let run): run.run
    case .ended(let row): row.run
    }
  }

  var identifier: JobIdentifier {
    switch self {
    case .live(let run): run.request.identifier
    case .ended(let row): row.identifier
    }
  }

  var isLive: Bool {
    if case .live = self { true } else { false }
  }
}

extension Workplace {
  /// Every run that has started and hasn't ended, the oldest first.
  func liveRuns(of identifier: JobIdentifier? = nil) throws(CommandFailure) -> [RunRecord] {
    try claimedRuns(of: identifier).filter { !$0.isLeased }
  }

  /// The same, and those that are claimed ahead of their start.
  func claimedRuns(of identifier: JobIdentifier? = nil) throws(CommandFailure) -> [RunRecord] {
    try read { store throws(StoreFailure) in
      try store.snapshots(of: identifier.map { [$0] }, headLimit: 1)
    }.flatMap(\.live).sorted { $0.run < $1.run }
  }

  /// The run of that number.
  ///
  /// - Throws: a sentence when there is none: it never was, or the retention has removed it.
  func run(_ number: RunNumber) throws(CommandFailure) -> FoundRun {
    // An end between the two looks is found by the second; the other order could miss it.
    if let run = try liveRuns().first(where: { $0.run == number }) { return .live(run) }
    let ended = try read { store throws(StoreFailure) in
      try store.endedRun(number).map { [$0] } ?? []
    }
    guard let row = ended.first else {
      throw .notDone(
        "there is no run \(number) in \(folder)",
        advice: "'bgrun history' lists the runs that are kept.")
    }
    return .ended(row)
  }

  /// The newest run of a job, one that goes on before those that have ended; nil without any.
  func newestRun(of identifier: JobIdentifier) throws(CommandFailure) -> FoundRun? {
    if let run = try liveRuns(of: identifier).last { return .live(run) }
    let rows = try read { store throws(StoreFailure) in
      try store.history(of: identifier, limit: Self.rowsSearched)
    }
    return rows.first { $0.run != nil }.map(FoundRun.ended)
  }

  /// Rows without a run may stand before the newest run; not endlessly many are worth a look.
  private static let rowsSearched = 1000
}
