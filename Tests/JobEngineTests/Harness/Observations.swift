import JobEngine
import JobModel
import StoreConformance

extension VirtualRunner {
  /// The history of a job, oldest first.
  func history(_ identifier: JobIdentifier? = nil) throws -> [HistoryRow] {
    try store.history(of: identifier, limit: nil).reversed()
  }

  /// Rows of runs, oldest first.
  func endedRuns(_ identifier: JobIdentifier? = nil) throws -> [HistoryRow] {
    try history(identifier).filter { $0.run != nil }
  }

  func outcomes(_ identifier: JobIdentifier? = nil) throws -> [Outcome] {
    try history(identifier).map(\.outcome)
  }

  var launched: [LaunchOrder] { host.launched }

  /// Launches by seconds since the start of virtual time.
  func launchSeconds(_ identifier: JobIdentifier? = nil) -> [Double] {
    launched.filter { identifier == nil || $0.request.identifier == identifier }
      .map { ($0.startedAt - Now.start.wall).inSeconds }
  }

  /// A job as the store has it.
  func snapshot(_ identifier: JobIdentifier) throws -> JobSnapshot {
    try store.snapshots(of: [identifier], headLimit: 32)[0]
  }

  var waitingGates: [Reason] {
    notices.compactMap { if case .waiting(_, _, let verdict) = $0 { verdict.gate } else { nil } }
  }

  func submit(
    _ identifier: JobIdentifier, key: String = "", kind: JobKind = .processing,
    _ change: (inout Submission) -> Void = { _ in }
  ) throws {
    var submission = Submission(identifier: identifier, kind: kind, submittedAt: now.wall)
    submission.key = key
    change(&submission)
    try commitElsewhere(.submit(submission))
  }
}

extension VirtualRunner {
  /// The reasons of the warnings given, in order.
  var warnings: [Reason] {
    notices.compactMap { if case .runWarned(_, _, let reason, _) = $0 { reason } else { nil } }
  }

  var endedNotices: [Notice.EndedRun] {
    notices.compactMap { if case .runEnded(let run) = $0 { run } else { nil } }
  }
}

extension VirtualRunner {
  func cancel(_ identifier: JobIdentifier, key: String?) throws {
    try commitElsewhere(
      .cancel(
        Cancellation(
          identifier: identifier, key: key, reason: .userCancelled, at: now.wall)))
  }

  func switchJob(_ identifier: JobIdentifier, isOn: Bool) throws {
    try commitElsewhere(
      .switchJob(JobSwitch(identifier: identifier, isEnabled: isOn, at: now.wall)))
  }

  /// Runs that the store holds as not ended, of every owner.
  func liveRuns() throws -> Int {
    try store.snapshots(of: nil, headLimit: 1).reduce(0) { $0 + $1.live.count }
  }

  /// Whether the store recorded this run before its launch (ST1).
  func isRecorded(_ order: LaunchOrder) -> Bool {
    let job = try? store.snapshots(of: [order.request.identifier], headLimit: 1).first
    return job?.live.contains { $0.run == order.run && $0.owner == owner.fence } ?? true
  }
}
