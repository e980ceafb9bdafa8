import JobModel

/// A transition on its way to the store, with what its verdict means here.
struct Proposal: Sendable {
  var transition: Transition
  var purpose: Purpose

  enum Purpose: Sendable {
    case record(JobIndex)
    /// `run --now` (PL19).
    case startNow(JobIndex)
    /// Each predecessor has succeeded; the newest success (PL16).
    case follow(JobIndex, WallInstant)
    /// The entry is the one that the run will have.
    case claim(JobIndex, RequestRecord, JobEntry)
    /// A claim ahead of the start.
    case lease(JobIndex, RequestRecord, JobEntry)
    case release(LeasedRun)
    case begin(RunNumber)
    case close(JobIndex)
    case decide(JobIndex)
    case expiring(RunNumber)
    case stall(RunNumber)
    case end(RunNumber)
    case progress(RunNumber)
    case prune
    case resetRecordedTime

    /// The job that isn't planned until the verdict is known; nil for what concerns only a run.
    var plannedJob: JobIndex? {
      switch self {
      case .record(let job), .startNow(let job), .follow(let job, _), .close(let job),
        .decide(let job), .claim(let job, _, _), .lease(let job, _, _):
        job
      case .release(let run): run.jobIndex
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
