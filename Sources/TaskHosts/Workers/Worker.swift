import JobModel
import LinuxSystem

/// One worker: this program started again, which executes one run at a time.
final class Worker {
  /// How long a new worker may take until it is ready.
  static let startBound = Duration.seconds(5)
  /// How long a worker that has closed its connection may take to end by itself.
  private static let disconnectionBound = Duration.milliseconds(200)

  let quality: QualityOfService
  private let stateDirectory: String
  private let lifecycle: () -> LifecycleLimits
  private let loop: EventLoop
  private let report: (Worker, Report) -> Void
  private let process: SpawnedWorker
  private var timer: WorkerTimer?
  private var phase: WorkerPhase
  /// Whether it has begun background tasks.
  private(set) var isHolding = false
  /// The run that what it holds belongs to, until the next one starts.
  private(set) var latestRun: WorkerRun
  private var processorTimeOfEarlierRuns = Duration.zero

  /// - Parameters:
  ///   - quality: the class of work that the process's priority is for.
  ///   - lifecycle: how long an idle worker goes on (BG2), and its time in the background (BG3).
  init(
    for run: WorkerRun, quality: QualityOfService, stateDirectory: String,
    lifecycle: @escaping () -> LifecycleLimits, buffer: ReadBuffer, on loop: EventLoop,
    report: @escaping (Worker, Report) -> Void
  ) throws(SystemError) {
    self.quality = quality
    self.stateDirectory = stateDirectory
    self.lifecycle = lifecycle
    self.loop = loop
    self.report = report
    process = try SpawnedWorker(writingTo: run.log, buffer: buffer, on: loop)
    phase = .starting(run)
    latestRun = run
  }

  /// Starts the process; its first run is launched when it is ready.
  func start(
    _ program: ProgramLaunch, permitting permissions: [HandlerPermission], group: String,
    with keeper: Keeper
  ) throws(SystemError) {
    let timer = try WorkerTimer(on: loop) { [unowned self] in timeIsUp() }
    self.timer = timer
    try process.start(
      program, permitting: permissions, group: group, with: keeper,
      arrived: { [unowned self] in take($0) },
      report: { [weak self] report in self?.take(report, program) })
    timer.bound(by: Self.startBound)
  }

  /// Launches a run in an idle worker.
  ///
  /// - Returns: false when the worker turns out to be gone, and the run needs another one.
  func launch(_ run: WorkerRun) -> Bool {
    // What an earlier run still had to say is its own.
    process.output.takeAll()
    process.resume()
    guard case .idle = phase, process.send(message(for: run)) else {
      retire()
      return false
    }
    begin(run)
    deliver(.started(run.number))
    return true
  }

  /// Gives the warning (LC4); one for a run that isn't launched yet follows its launch.
  func warn(_ reason: Reason) {
    switch phase {
    case .starting(let run): run.warning = reason
    case .running(let run):
      run.warning = reason
      sendWarning(reason, of: run)
    case .idle, .lingering, .ending: break
    }
  }

  /// The machine is about to sleep (BG2).
  func enterBackground() {
    switch phase {
    case .starting, .running, .idle, .lingering: _ = process.send(.enterBackground(backgroundTime))
    case .ending: break
    }
  }

  /// The machine is awake; a run that a stop has warned stays where that put it.
  func enterForeground() {
    switch phase {
    case .starting(let run), .running(let run):
      if run.warning != .shutdown { _ = process.send(.enterForeground) }
    case .idle, .lingering: _ = process.send(.enterForeground)
    case .ending: break
    }
  }

  /// CP9.
  func setForeground(_ isForeground: Bool, by keeping: RunKeeping) {
    process.setForeground(isForeground, of: quality, by: keeping)
  }

  /// Kills everything that the run started, the worker with it (LC5).
  func kill() {
    switch phase {
    case .starting(let run), .running(let run):
      run.isKillOrdered = true
      end(run)
    case .ending(let run):
      run?.isKillOrdered = true
      process.kill()
    case .idle, .lingering: break
    }
  }

  /// Passes an answer on; a worker that is going has no use for it.
  func answer(_ number: UInt32, _ answer: SchedulerAnswer) {
    if case .ending = phase { return }
    _ = process.send(.answer(number, answer))
  }

  /// Ends an idle worker that isn't needed any more.
  func retire() {
    if case .idle = phase { end(nil) }
  }

  // MARK: What comes from the process

  private func take(_ arrival: WorkerConnection.Arrival) {
    switch phase.meaning(of: arrival) {
    case .ready(let run):
      guard process.send(message(for: run)) else { return end(run) }
      begin(run)
      deliver(.started(run.number))
      if let reason = run.warning { sendWarning(reason, of: run) }
    case .progressed(let run, let progress): deliver(.progressed(run.number, progress))
    case .completed(let run, let completed): complete(run, completed)
    case .question(let number, let question): report(self, .question(number, question))
    case .holding: hold()
    case .released(let hasLeftovers): release(hasLeftovers: hasLeftovers)
    case .leaked(let sentence): leak(sentence)
    case .breach(let sentence): breach(sentence)
    case .disconnected(let run):
      // Most likely its end has begun, and its own status tells more than a kill's.
      run.verdict = .disconnected
      phase = .ending(run)
      timer?.bound(by: Self.disconnectionBound)
    case .closed: end(nil)
    case .nothing: break
    }
  }

  private func complete(_ run: WorkerRun, _ completed: MessageFromWorker.Completed) {
    processorTimeOfEarlierRuns += completed.usage.processorTime
    if let fraction = completed.progress {
      deliver(.progressed(run.number, ProgressReport(fraction: fraction)))
    }
    run.verdict = .completed(completed)
    // LC5: what a run leaves behind goes, and a worker that bore it goes along.
    guard !completed.hasLeftovers else { return end(run) }
    process.output.takeAll()
    run.memoryWatch = nil
    process.returnToUsualPlace()
    if isHolding { linger() } else { rest(after: lifecycle().suspendAfter) }
    deliver(.ended(run.number, RunEnding(completed)))
    if !isHolding { report(self, .becameIdle) }
  }

  /// Waits for the next run, and is suspended after a while (BG2).
  private func rest(after delay: Duration?) {
    phase = .idle
    timer?.rest(for: delay)
  }

  private func take(_ report: SpawnedRun.Report, _ program: ProgramLaunch) {
    switch report {
    case .started: break
    case .launchFailed(let failure):
      finish {
        .launchFailed($0.number, detail: "can't start a worker: \(failure.detail(program))")
      }
    case .ended(let ending):
      process.takeLastWords()
      finish { $0.event(ending, after: processorTimeOfEarlierRuns) }
    }
  }

  private func finish(_ event: (WorkerRun) -> HostEvent) {
    let run = phase.run
    phase = .ending(nil)
    isHolding = false
    run?.memoryWatch = nil
    process.close()
    timer?.clear()
    if let run { deliver(event(run)) }
    report(self, .gone)
  }

  // MARK: Background tasks

  private func hold() {
    guard !isHolding else { return breach("it began its first background task twice") }
    isHolding = true
    if case .idle = phase {
      // Begun a moment too late to be sure of it: it may be stopped already.
      process.resume()
      linger()
    }
    report(self, .holdingChanged)
  }

  /// Its own watch ends it when the time is over; this is the bound in case that fails (PL14).
  private func linger() {
    phase = .lingering
    timer?.bound(by: max(backgroundTime, .seconds(1)) + .seconds(2))
  }

  private func release(hasLeftovers: Bool) {
    guard isHolding else { return breach("it ended background tasks that it hadn't begun") }
    isHolding = false
    if case .lingering = phase {
      process.output.takeAll()
      if hasLeftovers {
        end(nil)
      } else {
        // BG11: nothing keeps it any more.
        rest(after: lifecycle().suspendAfter == nil ? nil : .zero)
        report(self, .becameIdle)
      }
    }
    report(self, .holdingChanged)
  }

  /// It kills itself: a run that it executes never completes.
  private func leak(_ sentence: String) {
    let run = phase.run
    run?.verdict = .judged(.failed(.neverCompleted, detail: sentence))
    phase = .ending(run)
    timer?.bound(by: Self.disconnectionBound)
    deliver(.leaked(latestRun.number, latestRun.order.request.identifier, detail: sentence))
  }

  // MARK: Orders to the process

  private func begin(_ run: WorkerRun) {
    phase = .running(run)
    latestRun = run
    process.output.log = run.log
    guard let limit = run.order.job.memoryLimit else { return }
    run.memoryWatch = try? MemoryWatch(
      limit: limit, of: { [unowned self] in process.memoryInUse }, on: loop
    ) { [unowned self] bytes in deliver(.exceededMemory(run.number, bytes: bytes)) }
  }

  private func message(for run: WorkerRun) -> MessageToWorker {
    run.message(stateDirectory: stateDirectory, backgroundTime: backgroundTime)
  }

  private var backgroundTime: Duration { lifecycle().backgroundTime }

  /// A stop also sends the program to the background, before its handler hears of it.
  private func sendWarning(_ reason: Reason, of run: WorkerRun) {
    if reason == .shutdown { _ = process.send(.enterBackground(backgroundTime)) }
    _ = process.send(.expire(run.number, reason))
  }

  private func breach(_ sentence: String) {
    let run = phase.run
    run?.verdict = .judged(
      .failed(.protocolError, detail: "the worker broke the protocol: \(sentence)"))
    end(run)
  }

  private func end(_ run: WorkerRun?) {
    phase = .ending(run)
    process.kill()
  }

  private func timeIsUp() {
    switch phase {
    case .starting(let run):
      run.verdict = .notStarted(
        detail: "the worker wasn't ready \(DurationText.format(Self.startBound)) "
          + "after its start")
      end(run)
    case .idle:
      if timer?.isRestOver() ?? false { process.suspend() }
    // Its own watch over the time has failed.
    case .lingering: end(nil)
    case .ending: process.kill()
    case .running: break
    }
  }

  private func deliver(_ event: HostEvent) { report(self, .event(event)) }
}
