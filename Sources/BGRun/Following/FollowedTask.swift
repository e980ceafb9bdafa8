import JobModel

/// A request or a run that somebody follows, and how it stands in the store.
struct FollowedTask {
  /// How it stands at one look.
  enum Standing {
    case pending(RequestRecord)
    case running(RunRecord)
    case ended(HistoryRow)
    /// The retention has removed what it came to.
    case forgotten
  }

  enum Target {
    case request(RequestID, key: String, submittedAt: WallInstant)
    case run(RunNumber)
  }

  let identifier: JobIdentifier
  let target: Target

  func standing(in workplace: Workplace) throws(CommandFailure) -> Standing {
    // A request moves between the looks, but only from pending through running to ended: the
    // second round finds what the first one missed, unless a retry went round twice.
    for _ in 0..<3 {
      if let standing = try look(in: workplace) { return standing }
    }
    return .forgotten
  }

  private func look(in workplace: Workplace) throws(CommandFailure) -> Standing? {
    switch target {
    case .run(let number):
      if let run = try workplace.liveRuns(of: identifier).first(where: { $0.run == number }) {
        return .running(run)
      }
      return try workplace.read { store throws(StoreFailure) in
        try store.endedRun(number).map { [$0] } ?? []
      }.first.map(Standing.ended)
    case .request(let id, let key, let submittedAt):
      let pending = try workplace.read { store throws(StoreFailure) in
        try store.pending(of: identifier, limit: .max)
      }
      if let request = pending.first(where: { $0.id == id }) { return .pending(request) }
      let claimed = try workplace.claimedRuns(of: identifier)
      if let run = claimed.first(where: { $0.request.id == id }) {
        return run.isLeased ? .pending(run.requestBeforeLease) : .running(run)
      }
      let rows = try workplace.read { store throws(StoreFailure) in
        try store.history(of: identifier, limit: 1000)
      }
      return rows.first { $0.key == key && $0.submittedAt == submittedAt }.map(Standing.ended)
    }
  }
}
