import JobEngine
import JobModel

/// Which notices are worth a line in a log: all but progress that comes too often, or says nothing
/// new.
struct LinePacing {
  /// The progress of one run is logged at most this often.
  private static let pause = Duration.seconds(1)

  /// What a run's log has told of its progress.
  private struct Told: Equatable {
    var fraction: Double?
    var title: String?
    var subtitle: String?

    /// Takes in what a report says.
    mutating func add(_ report: ProgressReport) {
      fraction = report.fraction ?? fraction
      title = report.title ?? title
      subtitle = report.subtitle ?? subtitle
    }
  }

  private var lastLogged: [RunNumber: (told: Told, at: MonotonicInstant)] = [:]

  mutating func isWorthALine(_ notice: Notice, at now: MonotonicInstant) -> Bool {
    switch notice {
    case .runProgressed(let run, let report):
      var told = lastLogged[run]?.told ?? Told()
      let before = told
      told.add(report)
      if let last = lastLogged[run] {
        guard told != before else { return false }
        let isCompleted = told.fraction == 1 && before.fraction != 1
        guard isCompleted || now >= last.at + Self.pause else { return false }
      }
      lastLogged[run] = (told, now)
      return true
    case .runEnded(let ended):
      lastLogged[ended.run] = nil
      return true
    case .runStarted, .runStalled, .runWarned, .runKilled, .runOverran, .waiting, .rowWithoutRun,
      .gatesPassedBy, .assumed, .anchorReset, .clockImplausible, .clockTrusted, .storeFailed,
      .storeRecovered, .reloaded, .stopping, .finishingInBackground, .leaked, .overstaying:
      return true
    }
  }
}
