import JobModel
import LinuxSystem
import SQLiteStore

extension Workplace {
  /// Proposes transitions; the verdicts come in the same order.
  ///
  /// - Throws: the sentence of a store that can't be written (DU4).
  func commit(
    _ transitions: [Transition], at now: WallInstant
  ) throws(CommandFailure) -> [Verdict] {
    guard let store else { throw .fault("a change was proposed without a store") }
    let report = Suspension.deferred {
      store.commit(transitions, at: now, headLimit: 1)
    }
    for case .failed(let failure) in report.verdicts { throw .store(failure) }
    return report.verdicts
  }

  /// Whether any runner is at work, to notice a change.
  func hasRunner() throws(CommandFailure) -> Bool {
    try read { store throws(StoreFailure) in try store.owners() }.contains(where: \.isAtWork)
  }

  /// Whether the runner that started a run is alive (DU2).
  func hasRunner(of run: RunRecord) throws(CommandFailure) -> Bool {
    try read { store throws(StoreFailure) in try store.owners() }
      .contains { $0.isAlive && $0.owner.fence == run.owner }
  }

  /// Said after a change that only a runner can act on.
  static let noRunner = "No runner is alive: nothing starts until 'bgrun run' does."
}
