import JobModel

/// What a worker is at; each case holds what is true only there.
enum WorkerPhase {
  /// It hasn't said that its handlers are registered.
  case starting(WorkerRun)
  case running(WorkerRun)
  /// Ready for a run.
  case idle
  /// Its run is over, and it still holds background tasks: it has no other run and isn't suspended
  /// (BG1).
  case lingering
  /// Its end was ordered, or found: nothing that it says counts.
  case ending(WorkerRun?)

  /// The run whose end hasn't been told.
  var run: WorkerRun? {
    switch self {
    case .starting(let run), .running(let run): run
    case .ending(let run): run
    case .idle, .lingering: nil
    }
  }

  /// What something that came from the worker means in a phase.
  enum Meaning {
    /// Its handlers are registered: its first run can be launched.
    case ready(WorkerRun)
    case progressed(WorkerRun, ProgressReport)
    case completed(WorkerRun, MessageFromWorker.Completed)
    case question(UInt32, SchedulerQuestion)
    /// It began its first background task.
    case holding
    /// It ended its last background task.
    case released(hasLeftovers: Bool)
    /// Its time in the background was over before its background tasks were.
    case leaked(String)
    /// It said what doesn't belong there, or what isn't a message.
    case breach(String)
    /// It has closed its connection while it had a run.
    case disconnected(WorkerRun)
    /// It has closed its connection, and had no run.
    case closed
    /// It is ending already.
    case nothing
  }

  func meaning(of arrival: WorkerConnection.Arrival) -> Meaning {
    switch (arrival, self) {
    case (.message(.ready), .starting(let run)): .ready(run)
    case (.message(.progressed(let number, let progress)), .running(let run))
    where number == run.number:
      .progressed(run, progress)
    case (.message(.completed(let number, let completed)), .running(let run))
    where number == run.number:
      .completed(run, completed)
    case (.message(.ask(let number, let question)), .running(let run)):
      .question(number, question.asked(by: run))
    case (.message(.ask(let number, let question)), .starting),
      (.message(.ask(let number, let question)), .idle),
      (.message(.ask(let number, let question)), .lingering):
      .question(number, question)
    case (.message(.holding), .starting), (.message(.holding), .running),
      (.message(.holding), .idle):
      .holding
    case (.message(.released(let hasLeftovers)), .starting),
      (.message(.released(let hasLeftovers)), .running),
      (.message(.released(let hasLeftovers)), .lingering):
      .released(hasLeftovers: hasLeftovers)
    case (.message(.leaked(let sentence)), .starting), (.message(.leaked(let sentence)), .running),
      (.message(.leaked(let sentence)), .lingering):
      .leaked(sentence)
    case (.message(let message), .starting), (.message(let message), .running),
      (.message(let message), .idle), (.message(let message), .lingering):
      .breach("it sent \(message.name), which doesn't belong there")
    case (.garbage(let mistake), _): .breach("it sent garbage: \(mistake.sentence)")
    case (.end, .starting(let run)), (.end, .running(let run)): .disconnected(run)
    case (.end, .idle), (.end, .lingering): .closed
    case (.message, .ending), (.end, .ending): .nothing
    }
  }
}
