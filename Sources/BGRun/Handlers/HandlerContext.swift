public import FoundationEssentials
import JobModel
import LinuxSystem
import TaskHosts

/// What a handler knows of its run, and what it tells of it.
public struct HandlerContext<Parameters: Sendable>: Sendable {
  /// The manifest's `with`, or what came with the submission, decoded.
  public let parameters: Parameters

  private let run: HandlerRun

  init(_ run: HandlerRun, parameters: Parameters) {
    self.run = run
    self.parameters = parameters
  }

  /// The job's identifier: a concrete one, where the manifest has a pattern (CP8).
  public var identifier: String { run.launch.identifier }

  /// The request's key, empty by default (SB1).
  public var key: String { run.launch.key }

  /// The run's number in `bgrun history` (ST1).
  public var runNumber: Int64 { run.launch.run.value }

  /// 1 for the first attempt of a request, counted up by its retries (LC9).
  public var attempt: Int { run.launch.attempt }

  /// The instant of the schedule that the run is for, or when its request was due.
  public var scheduledFor: Date { Date(run.launch.scheduledFor) }

  /// When the time limit is reached by the wall clock; nil without a limit. Time in which the
  /// machine sleeps moves it, so `remainingTime` is what to plan by (LC3).
  public var deadline: Date? { run.launch.deadline.map { Date($0) } }

  /// Time left to the time limit, never negative; nil without a limit (LC3).
  public var remainingTime: Duration? {
    run.launch.monotonicDeadline.map { deadline in
      max(.zero, deadline - MonotonicInstant(nanoseconds: Clocks.now().monotonic))
    }
  }

  /// Why the run was warned; nil until then. The Swift task is cancelled just after it is set
  /// (LC4), and `expirationGrace` later everything that the run started is killed (LC5); in a server's
  /// own process nothing is killed, and the run keeps its place until the handler ends (EM1).
  public var expirationReason: ExpirationReason? { run.expiration.map { ExpirationReason($0) } }

  /// What the person sees of the run, and what shows that it hasn't stalled (CP3).
  public var progress: HandlerProgress { run.progress }

  /// What an attempt leaves to the next one of the same request.
  public var checkpoint: Checkpoint { run.checkpoint }

  /// Writes lines to the run's log.
  public var logger: HandlerLogger { HandlerLogger(run.log) }

  /// The absolute path of the folder of the manifest that has the job: relative paths in
  /// parameters resolve against it.
  public var manifestFolder: String { run.launch.manifestFolder }
}
