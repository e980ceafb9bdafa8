import JobModel
import LinuxSystem

/// A worker's process as its host has it: started by the keeper, spoken to over one connection, and
/// suspended while nobody needs it.
final class SpawnedWorker {
  let output: WorkerOutput
  private let buffer: ReadBuffer
  private let loop: EventLoop
  private var connection: WorkerConnection?
  private var spawned: SpawnedRun?
  private var isSuspended = false

  init(writingTo log: RunLog, buffer: ReadBuffer, on loop: EventLoop) throws(SystemError) {
    self.buffer = buffer
    self.loop = loop
    output = try WorkerOutput(to: log, buffer: buffer, on: loop)
  }

  /// - Parameters:
  ///   - arrived: takes what the process says.
  ///   - report: takes what becomes of the process.
  func start(
    _ program: ProgramLaunch, permitting permissions: [HandlerPermission], group: String,
    with keeper: Keeper, arrived: @escaping (WorkerConnection.Arrival) -> Void,
    report: @escaping (SpawnedRun.Report) -> Void
  ) throws(SystemError) {
    let connection = try WorkerConnection(buffer: buffer, on: loop, arrived)
    self.connection = connection
    try connection.send(.permit(permissions))
    spawned = try keeper.launch(
      program, group: group, input: connection.workerEnd, output: output.workerEnd, report)
    connection.handOver()
    output.handOver()
  }

  /// - Returns: false when the process is known to be gone.
  func send(_ message: MessageToWorker) -> Bool {
    do throws(SystemError) {
      try connection?.send(message)
      return true
    } catch {
      return false
    }
  }

  func suspend() {
    isSuspended = true
    spawned?.suspend()
  }

  func resume() {
    guard isSuspended else { return }
    isSuspended = false
    spawned?.resume()
  }

  /// CP9.
  func setForeground(
    _ isForeground: Bool, of quality: QualityOfService, by keeping: RunKeeping
  ) {
    guard let spawned else { return }
    keeping.setForeground(spawned, quality, isForeground)
  }

  /// The next run isn't behind because the last one was (CP9).
  func returnToUsualPlace() { spawned?.move(to: .usual) }

  var memoryInUse: Int64 { spawned?.memoryInUse() ?? 0 }

  /// Kills the process and everything that it has started.
  func kill() { spawned?.kill() }

  /// Takes what it said before its end: that may have come together with the end.
  func takeLastWords() {
    connection?.receivePending()
    output.takeAll()
  }

  /// Nothing is taken from it from now on.
  func close() {
    connection?.close()
    output.close()
  }
}
