import JobEngine
import JobModel

/// Which notices are worth a line in a log: all but progress that comes too often.
struct LinePacing {
  /// The progress of one run is logged at most this often.
  private static let pause = Duration.seconds(1)

  private var lastLogged: [RunNumber: MonotonicInstant] = [:]

  mutating func isWorthALine(_ notice: Notice, at now: MonotonicInstant) -> Bool {
    switch notice {
    case .runProgressed(let run, let report):
      if report.fraction != 1, let last = lastLogged[run], now < last + Self.pause {
        return false
      }
      lastLogged[run] = now
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
