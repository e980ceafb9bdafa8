import Glibc
import JobModel
import LinuxSystem

/// One worker process: this program started again, which executes one run at a time.
final class Worker {
  /// What the worker is at; each case holds what is true only there.
  private enum Phase {
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
  }

  enum Report {
    case event(HostEvent)
    /// The program asks about requests; the answer goes back by `answer`.
    case question(UInt32, SchedulerQuestion)
    /// The run is over and the next one is welcome.
    case becameIdle
    /// It began its first background task, or ended its last one.
    case holdingChanged
    /// The process and all that it had started are gone.
    case gone
  }

  /// How long a new worker may take until it is ready.
  static let startBound = Duration.seconds(5)
  /// How long a worker that has closed its connection may take to end by itself.
  private static let disconnectionBound = Duration.milliseconds(200)

  let quality: QualityOfService
  private let stateDirectory: String
  private let lifecycle: () -> LifecycleLimits
  private let buffer: ReadBuffer
  private let loop: EventLoop
  private let report: (Worker, Report) -> Void
  private let output: WorkerOutput
  private var connection: WorkerConnection?
  private var timer: WorkerTimer?
  private var spawned: SpawnedRun?
  private var phase: Phase
  private var isSuspended = false
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
    self.buffer = buffer
    self.loop = loop
    self.report = report
    output = try WorkerOutput(to: run.log, buffer: buffer, on: loop)
    phase = .starting(run)
    latestRun = run
  }

  /// Starts the process; its first run is launched when it is ready.
  func start(
    _ program: ProgramLaunch, permitting permissions: [HandlerPermission], group: String,
    with keeper: Keeper
  ) throws(SystemError) {
    let connection = try WorkerConnection(buffer: buffer, on: loop) { [unowned self] in take($0) }
    self.connection = connection
    try connection.send(.permit(permissions))
    let timer = try WorkerTimer(on: loop) { [unowned self] in timeIsUp() }
    self.timer = timer
    spawned = try keeper.launch(
      program, group: group, input: connection.workerEnd, output: output.workerEnd
    ) { [weak self] report in self?.take(report, program) }
    connection.handOver()
    output.handOver()
    timer.set(after: Self.startBound)
  }

  /// Launches a run in an idle worker.
  ///
  /// - Returns: false when the worker turns out to be gone, and the run needs another one.
  func launch(_ run: WorkerRun) -> Bool {
    // What an earlier run still had to say is its own.
    output.takeAll()
    resume()
    guard case .idle = phase, send(message(for: run)) else {
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
    case .starting, .running, .idle, .lingering: _ = send(.enterBackground(backgroundTime))
    case .ending: break
    }
  }

  /// The machine is awake; a run that a stop has warned stays where that put it.
  func enterForeground() {
    switch phase {
    case .starting(let run), .running(let run):
      if run.warning != .shutdown { _ = send(.enterForeground) }
    case .idle, .lingering: _ = send(.enterForeground)
    case .ending: break
    }
  }

  /// CP9.
  func setForeground(_ isForeground: Bool, by keeping: RunKeeping) {
    guard let spawned else { return }
    keeping.setForeground(spawned, quality, isForeground)
  }

  /// Kills everything that the run started, the worker with it (LC5).
  func kill() {
    switch phase {
    case .starting(let run), .running(let run):
      run.isKillOrdered = true
      end(run)
    case .ending(let run):
      run?.isKillOrdered = true
      spawned?.kill()
    case .idle, .lingering: break
    }
  }

  /// Passes an answer on; a worker that is going has no use for it.
  func answer(_ number: UInt32, _ answer: SchedulerAnswer) {
    if case .ending = phase { return }
    _ = send(.answer(number, answer))
  }

  /// Ends an idle worker that isn't needed any more.
  func retire() {
    if case .idle = phase { end(nil) }
  }

  // MARK: What comes from the process

  private func take(_ arrival: WorkerConnection.Arrival) {
    switch (arrival, phase) {
    case (.message(.ready), .starting(let run)):
      guard send(message(for: run)) else { return end(run) }
      begin(run)
      deliver(.started(run.number))
      if let reason = run.warning { sendWarning(reason, of: run) }
    case (.message(.progressed(let number, let progress)), .running(let run))
    where number == run.number:
      deliver(.progressed(number, progress))
    case (.message(.completed(let number, let completed)), .running(let run))
    where number == run.number:
      complete(run, completed)
    case (.message(.ask(let number, let question)), .running(let run)):
      report(self, .question(number, question.asked(by: run)))
    case (.message(.ask(let number, let question)), .starting),
      (.message(.ask(let number, let question)), .idle),
      (.message(.ask(let number, let question)), .lingering):
      report(self, .question(number, question))
    case (.message(.holding), .starting), (.message(.holding), .running),
      (.message(.holding), .idle):
      hold()
    case (.message(.released(let hasLeftovers)), .starting),
      (.message(.released(let hasLeftovers)), .running),
      (.message(.released(let hasLeftovers)), .lingering):
      release(hasLeftovers: hasLeftovers)
    case (.message(.leaked(let sentence)), .starting), (.message(.leaked(let sentence)), .running),
      (.message(.leaked(let sentence)), .lingering):
      leak(sentence)
    case (.message(let message), .starting), (.message(let message), .running),
      (.message(let message), .idle), (.message(let message), .lingering):
      breach("it sent \(message.name), which doesn't belong there")
    case (.garbage(let mistake), _): breach("it sent garbage: \(mistake.sentence)")
    case (.end, .starting(let run)), (.end, .running(let run)):
      // Most likely its end has begun, and its own status tells more than a kill's.
      run.verdict = .disconnected
      phase = .ending(run)
      timer?.set(after: Self.disconnectionBound)
    case (.end, .idle), (.end, .lingering): end(nil)
    case (.message, .ending), (.end, .ending): break
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
    output.takeAll()
    run.memoryWatch = nil
    // The next run isn't behind because this one was (CP9).
    spawned?.move(to: .usual)
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
      // Its last words may have come with its end.
      connection?.receivePending()
      output.takeAll()
      finish { $0.event(ending, after: processorTimeOfEarlierRuns) }
    }
  }

  private func finish(_ event: (WorkerRun) -> HostEvent) {
    let run = currentRun
    phase = .ending(nil)
    isHolding = false
    run?.memoryWatch = nil
    connection?.close()
    output.close()
    timer?.stop()
    if let run { deliver(event(run)) }
    report(self, .gone)
  }

  // MARK: Background tasks

  private func hold() {
    guard !isHolding else { return breach("it began its first background task twice") }
    isHolding = true
    if case .idle = phase {
      // Begun a moment too late to be sure of it: it may be stopped already.
      resume()
      linger()
    }
    report(self, .holdingChanged)
  }

  /// Its own watch ends it when the time is over; this is the bound in case that fails (PL14).
  private func linger() {
    phase = .lingering
    timer?.set(after: max(backgroundTime, .seconds(1)) + .seconds(2))
  }

  private func release(hasLeftovers: Bool) {
    guard isHolding else { return breach("it ended background tasks that it hadn't begun") }
    isHolding = false
    if case .lingering = phase {
      output.takeAll()
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
    let run = currentRun
    run?.verdict = .judged(.failed(.neverCompleted, detail: sentence))
    phase = .ending(run)
    timer?.set(after: Self.disconnectionBound)
    deliver(.leaked(latestRun.number, latestRun.order.request.identifier, detail: sentence))
  }

  private func resume() {
    guard isSuspended else { return }
    isSuspended = false
    spawned?.resume()
  }

  // MARK: Orders to the process

  private func begin(_ run: WorkerRun) {
    phase = .running(run)
    latestRun = run
    output.log = run.log
    guard let limit = run.order.job.memoryLimit else { return }
    run.memoryWatch = try? MemoryWatch(
      limit: limit, of: { [unowned self] in spawned?.memoryInUse() ?? 0 }, on: loop
    ) { [unowned self] bytes in deliver(.exceededMemory(run.number, bytes: bytes)) }
  }

  private func message(for run: WorkerRun) -> MessageToWorker {
    run.message(stateDirectory: stateDirectory, backgroundTime: backgroundTime)
  }

  private var backgroundTime: Duration { lifecycle().backgroundTime }

  /// A stop also sends the program to the background, before its handler hears of it.
  private func sendWarning(_ reason: Reason, of run: WorkerRun) {
    if reason == .shutdown { _ = send(.enterBackground(backgroundTime)) }
    _ = send(.expire(run.number, reason))
  }

  private func send(_ message: MessageToWorker) -> Bool {
    do throws(SystemError) {
      try connection?.send(message)
      return true
    } catch {
      return false
    }
  }

  private func breach(_ sentence: String) {
    let run = currentRun
    run?.verdict = .judged(
      .failed(.protocolError, detail: "the worker broke the protocol: \(sentence)"))
    end(run)
  }

  private func end(_ run: WorkerRun?) {
    phase = .ending(run)
    spawned?.kill()
  }

  private func timeIsUp() {
    switch phase {
    case .starting(let run):
      run.verdict = .notStarted(
        detail: "the worker wasn't ready \(DurationText.format(Self.startBound)) "
          + "after its start")
      end(run)
    case .idle:
      guard timer?.restIsOver() == true else { return }
      isSuspended = true
      spawned?.suspend()
    // Its own watch over the time has failed.
    case .lingering: end(nil)
    case .ending: spawned?.kill()
    case .running: break
    }
  }

  private var currentRun: WorkerRun? {
    switch phase {
    case .starting(let run), .running(let run): run
    case .ending(let run): run
    case .idle, .lingering: nil
    }
  }

  private func deliver(_ event: HostEvent) { report(self, .event(event)) }
}
