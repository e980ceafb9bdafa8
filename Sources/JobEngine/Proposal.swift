import JobModel

/// A transition on its way to the store, with what its verdict means here.
struct Proposal: Sendable {
  var transition: Transition
  var purpose: Purpose

  enum Purpose: Sendable {
    case record(JobIdentifier)
    /// `run --now` (PL19).
    case startNow(JobIdentifier)
    /// Each predecessor has succeeded; the newest success (PL16).
    case follow(JobIdentifier, WallInstant)
    /// The entry is the one that the run will have.
    case claim(RequestRecord, JobEntry)
    /// A claim ahead of the start.
    case lease(RequestRecord, JobEntry)
    case release(LeasedRun)
    case begin(RunNumber)
    case close(JobIdentifier)
    case decide(JobIdentifier)
    case expiring(RunNumber)
    case stall(RunNumber)
    case end(RunNumber)
    case progress(RunNumber)
    case prune(JobIdentifier)
    case resetRecordedTime

    /// The job that isn't planned until the verdict is known; nil for what concerns only a run.
    var plannedJob: JobIdentifier? {
      switch self {
      case .record(let identifier), .startNow(let identifier), .follow(let identifier, _),
        .close(let identifier), .decide(let identifier):
        identifier
      case .claim(let request, _), .lease(let request, _): request.identifier
      case .release(let run): run.request.identifier
      case .begin, .expiring, .stall, .end, .progress, .prune, .resetRecordedTime: nil
      }
    }
  }
}

/// Whether the store can be written (DU4).
enum StoreHealth: Hashable, Sendable {
  case working
  /// Nothing new is proposed before the retry.
  case failing(StoreFailure, since: MonotonicInstant, retryAt: MonotonicInstant, pause: Duration)
  /// The next batch finds out.
  case probing(StoreFailure, since: MonotonicInstant, pause: Duration)
}
