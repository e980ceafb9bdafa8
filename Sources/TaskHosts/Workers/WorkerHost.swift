package import JobModel
package import LinuxSystem

/// Runs jobs' Swift handlers in worker processes: this program, started again. A healthy worker is
/// used again; every end is an end of all that the run started (LC4, LC5, LC8, LC10, ST2).
///
/// Everything is on the loop's thread.
package final class WorkerHost: TaskHost {
  package var deliver: ((HostEvent) -> Void)?

  private let stateDirectory: String
  private let program: WorkerProgram
  private let owner: Fence
  private let jobSet: () -> JobSet
  private let consult: Consultation
  private let keeping: RunKeeping
  private let loop: EventLoop
  private let buffer = ReadBuffer()
  private var workers: [ObjectIdentifier: Worker] = [:]
  private var workerOfRun: [RunNumber: Worker] = [:]
  /// The last to become idle is the first to be used: the others stay suspended.
  private var idle: [Worker] = []
  private var toldHeld = HeldWork()
  /// Whether the machine is about to sleep.
  private var isAway = false

  /// Answers a program's question about requests, on the loop's thread.
  package typealias Consultation =
    (SchedulerQuestion, _ answer: @escaping (SchedulerAnswer) -> Void) -> Void

  /// - Parameters:
  ///   - stateDirectory: absolute path of the store's folder, which exists.
  ///   - owner: names the workers of this runner.
  ///   - jobSet: what is in force, read whenever it matters: a reload may change it.
  ///   - consult: answers questions of the programs in the workers.
  package init(
    stateDirectory: String, program: WorkerProgram, owner: Fence,
    jobSet: @escaping () -> JobSet, consult: @escaping Consultation, keeping: RunKeeping,
    on loop: EventLoop
  ) {
    self.stateDirectory = stateDirectory
    self.program = program
    self.owner = owner
    self.jobSet = jobSet
    self.consult = consult
    self.keeping = keeping
    self.loop = loop
  }

  package func launch(_ order: LaunchOrder) {
    let run = WorkerRun(order, log: log(of: order))
    let quality = order.job.qualityOfService
    while let index = idle.lastIndex(where: { $0.quality == quality }) {
      let worker = idle.remove(at: index)
      if worker.launch(run) {
        workerOfRun[run.number] = worker
        return
      }
    }
    // Every run has its place in the limits, so what is too many is idle, for other classes of work.
    if workers.count >= jobSet().workerLimit, !idle.isEmpty { idle.removeFirst().retire() }
    do throws(SystemError) {
      try startWorker(for: run, quality)
    } catch {
      let detail = "can't start a worker: \(error)"
      loop.soon { [weak self] in self?.deliver?(.launchFailed(order.run, detail: detail)) }
    }
  }

  package func warn(_ run: RunNumber, reason: Reason) { workerOfRun[run]?.warn(reason) }

  package func setForeground(_ run: RunNumber, _ isForeground: Bool) {
    workerOfRun[run]?.setForeground(isForeground, by: keeping)
  }

  package func kill(_ run: RunNumber) { workerOfRun[run]?.kill() }

  package func enterBackground() {
    isAway = true
    for worker in workers.values { worker.enterBackground() }
  }

  package func enterForeground() {
    isAway = false
    for worker in workers.values { worker.enterForeground() }
  }

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

  private func startWorker(
    for run: WorkerRun, _ quality: QualityOfService
  ) throws(SystemError) {
    let worker = try Worker(
      for: run, quality: quality, stateDirectory: stateDirectory,
      lifecycle: { [jobSet] in jobSet().lifecycle }, buffer: buffer, on: loop
    ) { [unowned self] worker, report in take(report, from: worker) }
    try worker.start(
      program.launch(quality), permitting: jobSet().handlerPermissions,
      group: keeping.workerGroupName(of: owner), with: try keeping.current())
    workers[ObjectIdentifier(worker)] = worker
    workerOfRun[run.number] = worker
    if isAway { worker.enterBackground() }
  }

  private func take(_ report: Worker.Report, from worker: Worker) {
    switch report {
    case .event(let event):
      switch event {
      case .ended(let run, _), .launchFailed(let run, _): workerOfRun[run] = nil
      case .started, .progressed, .exceededMemory, .holding, .leaked: break
      }
      deliver?(event)
      tellHeld()
    case .question(let number, let question):
      consult(question) { [weak worker] in worker?.answer(number, $0) }
    case .becameIdle: idle.append(worker)
    case .holdingChanged:
      // What it prints belongs to the run that began the work, so it gets no other one meanwhile.
      if worker.isHolding { idle.removeAll { $0 === worker } }
      tellHeld()
    case .gone:
      idle.removeAll { $0 === worker }
      workers[ObjectIdentifier(worker)] = nil
      tellHeld()
    }
  }

  private func tellHeld() {
    let holders = workers.values.count(where: \.isHolding)
    guard holders > 0 || !toldHeld.isEmpty else { return }
    let runs = workerOfRun.filter { $0.value.isHolding }
    let held = HeldWork(programs: holders, runs: Set(runs.keys))
    guard held != toldHeld else { return }
    toldHeld = held
    deliver?(.holding(held))
  }

  private var writtenRuns: Set<RunNumber> {
    let lingering = workers.values.filter(\.isHolding).map(\.latestRun.number)
    return Set(workerOfRun.keys).union(lingering)
  }

  private func log(of order: LaunchOrder) -> RunLog {
    let folder = OutputFolder(
      stateDirectory: stateDirectory, identifier: order.request.identifier)
    return RunLog { [unowned self] () throws(SystemError) in
      try folder.makeLog(
        of: order.run, order.job.output, writing: writtenRuns)
    }
  }
}

extension JobSet {
  /// Processes at a time.
  fileprivate var workerLimit: Int { concurrency.total + concurrency.continuedProcessing }
}
