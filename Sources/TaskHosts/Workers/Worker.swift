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
    /// Ready for a run since an instant of the monotonic clock in nanoseconds.
    case idle(since: Int64)
    /// Its end was ordered, or found: nothing that it says counts.
    case ending(WorkerRun?)
  }

  enum Report {
    case event(HostEvent)
    /// The program asks about requests; the answer goes back by `answer`.
    case question(UInt32, SchedulerQuestion)
    /// The run is over and the next one is welcome.
    case becameIdle
    /// The process and all that it had started are gone.
    case gone
  }

  /// How long a new worker may take until it is ready.
  static let startBound: Int64 = 5_000_000_000
  /// How long a worker that has closed its connection may take to end by itself.
  private static let disconnectionBound: Int64 = 200_000_000

  let quality: QualityOfService
  private let stateDirectory: String
  private let suspendAfter: () -> Duration?
  private let buffer: ReadBuffer
  private let loop: EventLoop
  private let report: (Worker, Report) -> Void
  private let output: Pipe
  private var outputWatch: Watch?
  private var connection: WorkerConnection?
  private var timer: MonotonicTimer?
  private var spawned: SpawnedRun?
  private var phase: Phase
  private var isSuspended = false
  /// Where output goes: to the run, and after its end still to it until the next one starts.
  private var log: RunLog
  private var processorTimeOfEarlierRuns = Duration.zero

  /// - Parameters:
  ///   - quality: the class of work that the process's priority is for.
  ///   - suspendAfter: how long an idle worker goes on; nil is for ever (BG2).
  init(
    for run: WorkerRun, quality: QualityOfService, stateDirectory: String,
    suspendAfter: @escaping () -> Duration?, buffer: ReadBuffer, on loop: EventLoop,
    report: @escaping (Worker, Report) -> Void
  ) throws(SystemError) {
    self.quality = quality
    self.stateDirectory = stateDirectory
    self.suspendAfter = suspendAfter
    self.buffer = buffer
    self.loop = loop
    self.report = report
    output = try Pipe()
    phase = .starting(run)
    log = run.log
  }

  /// Starts the process; its first run is launched when it is ready.
  func start(
    _ program: ProgramLaunch, permitting permissions: [HandlerPermission], group: String,
    with keeper: Keeper
  ) throws(SystemError) {
    let connection = try WorkerConnection(buffer: buffer, on: loop) { [unowned self] in take($0) }
    self.connection = connection
    try connection.send(.permit(permissions))
    outputWatch = try loop.watch(output.readEnd, for: .readable) { [unowned self] _ in
      // One buffer a round, so that a chatty run doesn't hold up the others.
      takeOutput(rounds: 1)
    }
    timer = try MonotonicTimer(on: loop) { [unowned self] in timeIsUp() }
    spawned = try keeper.launch(
      program, group: group, input: connection.workerEnd, output: output.writeEnd
    ) { [weak self] report in self?.take(report, program) }
    connection.handOver()
    output.closeWriteEnd()
    timer?.set(nanoseconds: Clocks.now().monotonic + Self.startBound)
  }

  /// Launches a run in an idle worker.
  ///
  /// - Returns: false when the worker turns out to be gone, and the run needs another one.
  func launch(_ run: WorkerRun) -> Bool {
    // What an earlier run still had to say is its own.
    takeOutput(rounds: .max)
    if isSuspended {
      isSuspended = false
      spawned?.resume()
    }
    guard case .idle = phase, send(run.message(stateDirectory: stateDirectory)) else {
      retire()
      return false
    }
    begin(run)
    loop.soon { [weak self] in
      if let self, case .running(let current) = phase, current === run {
        deliver(.started(run.number))
      }
    }
    return true
  }

  /// Gives the warning (LC4); one for a run that isn't launched yet follows its launch.
  func warn(_ reason: Reason) {
    switch phase {
    case .starting(let run): run.warning = reason
    case .running(let run):
      run.warning = reason
      _ = send(.expire(run.number, reason))
    case .idle, .ending: break
    }
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
    case .idle: break
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
      guard send(run.message(stateDirectory: stateDirectory)) else { return end(run) }
      begin(run)
      deliver(.started(run.number))
      if let reason = run.warning { _ = send(.expire(run.number, reason)) }
    case (.message(.progressed(let number, let progress)), .running(let run))
    where number == run.number:
      deliver(.progressed(number, progress))
    case (.message(.completed(let number, let completed)), .running(let run))
    where number == run.number:
      complete(run, completed)
    case (.message(.ask(let number, let question)), .running(let run)):
      report(self, .question(number, question.asked(by: run)))
    case (.message(.ask(let number, let question)), .starting),
      (.message(.ask(let number, let question)), .idle):
      report(self, .question(number, question))
    case (.message(let message), .starting), (.message(let message), .running),
      (.message(let message), .idle):
      breach("it sent \(message.name), which doesn't belong there")
    case (.garbage(let mistake), _): breach("it sent garbage: \(mistake.sentence)")
    case (.end, .starting(let run)), (.end, .running(let run)):
      // Most likely its end has begun, and its own status tells more than a kill's.
      run.verdict = .disconnected
      phase = .ending(run)
      timer?.set(nanoseconds: Clocks.now().monotonic + Self.disconnectionBound)
    case (.end, .idle): end(nil)
    case (.message, .ending), (.end, .ending): break
    }
  }

  private func complete(_ run: WorkerRun, _ completed: MessageFromWorker.Completed) {
    processorTimeOfEarlierRuns += completed.usage.processorTime
    if let fraction = completed.progress {
      deliver(.progressed(run.number, ProgressReport(fraction: fraction)))
    }
    run.verdict = .completed(completed.completion, completed.usage)
    // LC5: what a run leaves behind goes, and a worker that bore it goes along.
    guard !completed.hasLeftovers else { return end(run) }
    takeOutput(rounds: .max)
    run.memoryWatch = nil
    let now = Clocks.now().monotonic
    phase = .idle(since: now)
    timer?.set(nanoseconds: suspendAfter().map { now + $0.nanoseconds })
    deliver(.ended(run.number, ending(completed.completion, completed.usage)))
    report(self, .becameIdle)
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
      takeOutput(rounds: .max)
      finish { self.event(of: $0, ending) }
    }
  }

  private func finish(_ event: (WorkerRun) -> HostEvent) {
    let run = currentRun
    phase = .ending(nil)
    run?.memoryWatch = nil
    connection?.close()
    outputWatch?.cancel()
    timer?.set(nanoseconds: nil)
    if let run { deliver(event(run)) }
    report(self, .gone)
  }

  /// What is told of a run whose worker is gone.
  private func event(of run: WorkerRun, _ processes: SpawnedRun.Ending) -> HostEvent {
    var ending = RunEnding(processes, isKillOrdered: run.isKillOrdered)
    ending.cpuTime = ending.cpuTime.map { $0 - processorTimeOfEarlierRuns }
    switch run.verdict {
    case .notStarted(let detail): return .launchFailed(run.number, detail: detail)
    case .completed(let completion, let usage?):
      return .ended(run.number, self.ending(completion, usage))
    case .completed(let completion, nil):
      ending.signal = nil
      ending.completion = completion
    case .disconnected where ending.signal == SIGKILL && !run.isKillOrdered:
      ending.signal = nil
      ending.completion = .failed(
        .protocolError, detail: "the worker closed its connection to the runner")
    case .disconnected, nil:
      if ending.exitStatus == 0 {
        // LC10.
        ending.exitStatus = nil
        ending.completion = .failed(
          .neverCompleted, detail: "the worker exited before the handler had completed")
      }
    }
    return .ended(run.number, ending)
  }

  private func ending(_ completion: HandlerCompletion, _ usage: WorkerUsage) -> RunEnding {
    var ending = RunEnding()
    ending.completion = completion
    ending.peakMemory = usage.peakMemory
    ending.cpuTime = usage.processorTime
    return ending
  }

  // MARK: Orders to the process

  private func begin(_ run: WorkerRun) {
    phase = .running(run)
    log = run.log
    timer?.set(nanoseconds: nil)
    guard let limit = run.order.job.memoryLimit else { return }
    run.memoryWatch = try? MemoryWatch(
      limit: limit, of: { [unowned self] in spawned?.memoryInUse() ?? 0 }, on: loop
    ) { [unowned self] bytes in deliver(.exceededMemory(run.number, bytes: bytes)) }
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
    run?.verdict = .completed(
      .failed(.protocolError, detail: "the worker broke the protocol: \(sentence)"), nil)
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
        detail: "the worker wasn't ready \(DurationText.format(.nanoseconds(Self.startBound))) "
          + "after its start")
      end(run)
    case .idle:
      isSuspended = true
      spawned?.suspend()
    case .ending: spawned?.kill()
    case .running: break
    }
  }

  private var currentRun: WorkerRun? {
    switch phase {
    case .starting(let run), .running(let run): run
    case .ending(let run): run
    case .idle: nil
    }
  }

  private func deliver(_ event: HostEvent) { report(self, .event(event)) }

  private func takeOutput(rounds: Int) {
    for _ in 0..<rounds {
      switch try? Descriptors.read(output.readEnd, into: &buffer.bytes) {
      case .bytes(let count): log.append(buffer.bytes[..<count])
      case .wouldBlock: return
      case .end, nil:
        outputWatch?.cancel()
        return
      }
    }
  }
}

extension SchedulerQuestion {
  /// CP1: what a run submits is a person's wish where the run itself is one.
  fileprivate func asked(by run: WorkerRun) -> SchedulerQuestion {
    guard case .submit(var request) = self, run.order.request.isUserInitiated else { return self }
    request.isUserInitiated = true
    return .submit(request)
  }
}

extension MessageFromWorker {
  /// For the sentence about one that came at the wrong time.
  fileprivate var name: String {
    switch self {
    case .ready: "ready"
    case .progressed: "progress of another run"
    case .completed: "the completion of another run"
    case .ask: "a question"
    }
  }
}
