import BGRun
import JobModel
import TaskHosts

/// A task that a test has launched in its own process.
public final class SimulatedTask: Sendable {
  private let run: HandlerRun
  private let watch: TaskWatch

  init(_ launch: WorkerLaunch) {
    let watch = TaskWatch()
    self.watch = watch
    run = HandlerRun(
      launch,
      report: { change in
        guard let fraction = change.fractionCompleted else { return }
        watch.note { $0.fractionCompleted = fraction }
      },
      ended: { run, completion in
        let end = SimulatedEnd(completion, isWarned: run.expiration != nil)
        watch.note { $0.end = end }
      })
  }

  func start(_ entry: HandlerRegistry.Entry) {
    entry.start(run)
  }

  /// Warns the task as the system does at its time limit (LC4); a second time changes nothing.
  public func expire() {
    run.expire(.timeLimit)
  }

  /// Cancels a continued task as the person who follows it can (CP5).
  public func cancel() {
    run.expire(.userCancelled)
  }

  /// Warns a continued task because it makes no progress (CP3).
  public func stall() {
    run.expire(.progressStalled)
  }

  /// What the person sees of a continued task: the part that is done, 0…1.
  public var fractionCompleted: Double { watch.known.fractionCompleted }

  /// What the person sees of a continued task.
  public var title: String { run.progress.title }

  /// What it is doing.
  public var subtitle: String { run.progress.subtitle }

  /// Waits until a continued task has got to a part of its work.
  ///
  /// - Parameters:
  ///   - fraction: 0…1.
  ///   - limit: how long.
  /// - Throws: `SimulationError` when the limit has passed or the task has ended before.
  public func progress(to fraction: Double, within limit: Duration = .seconds(60)) async throws {
    let isReached = await watch.wait(atMost: limit) { known in
      known.fractionCompleted >= fraction || known.end != nil
    }
    guard isReached, fractionCompleted >= fraction else {
      throw SimulationError(
        "\(run.launch.identifier) has not got to \(fraction) of its work: it is at "
          + "\(fractionCompleted)" + (isReached ? " and has ended" : " after \(limit)"))
    }
  }

  /// Waits until the task has ended.
  ///
  /// - Parameter limit: how long; a task that goes on is a mistake of the test or of its handler.
  /// - Throws: `SimulationError` when the limit has passed.
  public func end(within limit: Duration = .seconds(60)) async throws -> SimulatedEnd {
    guard await watch.wait(atMost: limit, until: { $0.end != nil }), let end = watch.known.end
    else {
      throw SimulationError(
        "\(run.launch.identifier) has not ended: its handler hasn't called "
          + "setTaskCompleted(success:) within \(limit)")
    }
    return end
  }
}
