package import JobModel
package import LinuxSystem

/// Runs jobs' Swift handlers in the runner's own process: they can be warned, and never killed (EM1).
///
/// Everything is on the loop's thread; handlers are on threads of their own.
package final class InProcessHost: TaskHost {
  package var deliver: ((HostEvent) -> Void)?

  /// Makes the handler's side of a run, which hasn't started yet.
  package typealias Making = (WorkerLaunch, InProcessReports) -> any InProcessRun

  private let stateDirectory: String
  private let keeping: RunKeeping
  private let loop: EventLoop
  private let make: Making
  private var runs: [RunNumber: any InProcessRun] = [:] {
    didSet { if isHolding { tellHeld() } }
  }
  /// Whether the program has begun background tasks (BG1).
  private var isHolding = false

  /// - Parameter stateDirectory: absolute path of the store's folder, which exists.
  package init(
    stateDirectory: String, keeping: RunKeeping, on loop: EventLoop, make: @escaping Making
  ) {
    self.stateDirectory = stateDirectory
    self.keeping = keeping
    self.loop = loop
    self.make = make
  }

  package func launch(_ order: LaunchOrder) {
    let reports = InProcessReports(
      order.run, to: self, poster: loop.poster, log: log(of: order))
    // The program's pool of time is its service's business.
    let run = make(
      WorkerLaunch(
        order, stateDirectory: stateDirectory,
        backgroundTime: LifecycleLimits().backgroundTime), reports)
    runs[order.run] = run
    // Posted before anything that the handler can post.
    loop.soon { [weak self] in self?.deliver?(.started(order.run)) }
    run.start()
  }

  package func warn(_ run: RunNumber, reason: Reason) { runs[run]?.expire(reason) }

  /// A handler has the priority of the threads of its server, which isn't ours to move.
  package func setForeground(_ run: RunNumber, _ isForeground: Bool) {}

  /// Nothing in this process can be killed: the run ends when its handler does.
  package func kill(_ run: RunNumber) {}

  package func removeOutput(of runs: [RunNumber], of identifier: JobIdentifier) {
    let folder = OutputFolder(stateDirectory: stateDirectory, identifier: identifier)
    // A log that can't be removed now is the oldest of its folder: the next run's start tries again.
    try? folder.removeLogs(of: runs)
  }

  package func removeLeftovers(
    of runs: [RunRecord], owner: Owner, completion: @escaping () -> Void
  ) {
    keeping.removeLeftovers(of: runs, owner: owner, completion: completion)
  }

  /// Takes from any thread whether the program has begun background tasks, which a stop waits for.
  package func holdingReports() -> @Sendable (Bool) -> Void {
    let reports = HoldingReports(host: self, poster: loop.poster)
    return { reports.tell($0) }
  }

  fileprivate func hold(_ isHolding: Bool) {
    guard isHolding != self.isHolding else { return }
    self.isHolding = isHolding
    tellHeld()
  }

  private func tellHeld() {
    let held = isHolding ? HeldWork(programs: 1, runs: Set(runs.keys)) : HeldWork()
    deliver?(.holding(held))
  }

  func progressed(_ run: RunNumber, _ report: ProgressReport) {
    guard runs[run] != nil else { return }
    deliver?(.progressed(run, report))
  }

  /// Only the first end of a run counts.
  func completed(_ run: RunNumber, _ completion: HandlerCompletion, progress: Double?) {
    guard runs.removeValue(forKey: run) != nil else { return }
    if let progress { deliver?(.progressed(run, ProgressReport(fraction: progress))) }
    // What it used can't be told from what the rest of the process uses.
    var ending = RunEnding()
    ending.completion = completion
    deliver?(.ended(run, ending))
  }

  private func log(of order: LaunchOrder) -> RunLog {
    let folder = OutputFolder(
      stateDirectory: stateDirectory, identifier: order.request.identifier)
    return RunLog { [weak self] () throws(SystemError) in
      let active = self.map { Set($0.runs.keys) } ?? []
      return try folder.makeLog(of: order.run, order.job.output, writing: active)
    }
  }
}

private struct HoldingReports: @unchecked Sendable {
  // Unchecked: the host travels through other threads, which never look at it.
  weak var host: InProcessHost?
  let poster: Poster

  func tell(_ isHolding: Bool) {
    poster.post { [self] in host?.hold(isHolding) }
  }
}
