import JobModel

/// What a scripted program does when it is launched.
struct Behaviour: Sendable {
  /// How long it runs when nobody stops it; nil is for ever.
  var takes: Duration?
  var status: Int32 = 0
  var signal: Int32?
  /// How a Swift handler completes; nil for a program.
  var completion: HandlerCompletion?
  var onWarning = OnWarning.dies
  var reports: [(after: Duration, report: ProgressReport)] = []
  /// The sentence of a launch that fails.
  var launchFailure: String?

  enum OnWarning: Sendable {
    /// SIGTERM ends it at once.
    case dies
    /// It tidies up and exits.
    case exits(after: Duration, status: Int32)
    /// It completes, as a handler does.
    case completes(HandlerCompletion)
    case ignores
  }

  static func succeeds(after takes: Duration) -> Behaviour { Behaviour(takes: takes) }

  static func exits(_ status: Int32, after takes: Duration = .milliseconds(100)) -> Behaviour {
    Behaviour(takes: takes, status: status)
  }

  static let runsForEver = Behaviour(takes: nil)

  var ending: RunEnding {
    var ending = RunEnding()
    if let completion {
      ending.completion = completion
      return ending
    }
    ending.exitStatus = signal == nil ? status : nil
    ending.signal = signal
    return ending
  }

  static func killed(by signal: Int32, wasKilled: Bool = false) -> RunEnding {
    var ending = RunEnding()
    ending.signal = signal
    ending.wasKilled = wasKilled
    return ending
  }
}
