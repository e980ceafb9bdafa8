import Glibc
import JobModel
import LinuxSystem

/// One run of a command: its program, output, notifications and memory, until everything that it
/// started is gone.
final class CommandRun {
  /// What is needed beside the program: made before it starts, and let go after it has ended.
  struct Resources {
    var folder: JobFolder
    var log: OutputLog
    var slot: NotifySlots.Slot
    /// Shared by all runs of the host: its content is used up at once.
    var buffer: ReadBuffer
  }

  let run: RunNumber
  let resources: Resources
  private let quality: QualityOfService
  private let loop: EventLoop
  private let deliver: (HostEvent) -> Void
  private let output: Pipe
  private var outputWatch: Watch?
  private var spawned: SpawnedRun?
  private var memoryWatch: MemoryWatch?
  private var isKillOrdered = false

  /// - Parameter deliver: takes the run's events, `ended` or `launchFailed` last.
  init(
    _ run: RunNumber, _ resources: Resources, quality: QualityOfService, on loop: EventLoop,
    deliver: @escaping (HostEvent) -> Void
  ) throws(SystemError) {
    self.run = run
    self.resources = resources
    self.quality = quality
    self.loop = loop
    self.deliver = deliver
    output = try Pipe()
  }

  /// Hands the program to the keeper.
  func start(
    _ program: ProgramLaunch, group: String, memoryLimit: Int64?, with keeper: Keeper
  ) throws(SystemError) {
    outputWatch = try loop.watch(output.readEnd, for: .readable) { [unowned self] _ in
      // One buffer a round, so that a chatty run doesn't hold up the others.
      takeOutput(rounds: 1)
    }
    if let memoryLimit {
      memoryWatch = try MemoryWatch(
        limit: memoryLimit, of: { [unowned self] in spawned?.memoryInUse() ?? 0 }, on: loop
      ) { [unowned self] bytes in deliver(.exceededMemory(run, bytes: bytes)) }
    }
    // Weak: a host that is released takes its runs along, and the keeper ends them.
    spawned = try keeper.launch(program, group: group, output: output.writeEnd) {
      [weak self] report in self?.take(report, program)
    }
    output.closeWriteEnd()
  }

  /// Makes the reason readable, then sends SIGTERM to the process group (LC4). Where the reason can't
  /// be written, the warning comes without it.
  func warn(_ reason: Reason) {
    try? resources.folder.write(reason)
    spawned?.terminate()
  }

  /// CP9.
  func setForeground(_ isForeground: Bool, by keeping: RunKeeping) {
    guard let spawned else { return }
    keeping.setForeground(spawned, quality, isForeground)
  }

  /// Kills everything that the run started (LC5).
  func kill() {
    isKillOrdered = true
    spawned?.kill()
  }

  /// Takes a message, unless its sender is alive and none of the run's processes. One that has
  /// ended since is trusted: only the run knows the address, and only the same user or root gets
  /// this far.
  func take(_ message: NotifyMessage, from sender: NotifySocket.Sender) {
    guard let spawned, sender.user == getuid() || sender.user == 0,
      spawned.contains(sender.process) || ProcessTable.parent(of: sender.process) == nil
    else { return }
    let report = ProgressReport(
      fraction: message.fraction, title: message.title, subtitle: message.status,
      extending: message.timeExtension)
    if report != ProgressReport() { deliver(.progressed(run, report)) }
  }

  private func take(_ report: SpawnedRun.Report, _ program: ProgramLaunch) {
    switch report {
    case .started:
      deliver(.started(run))
    case .launchFailed(let failure):
      letGo()
      deliver(.launchFailed(run, detail: failure.detail(program)))
    case .ended(let ending):
      resources.slot.receivePending()
      // Nobody is left to write, so this reaches the pipe's end.
      takeOutput(rounds: .max)
      letGo()
      deliver(.ended(run, RunEnding(ending, isKillOrdered: isKillOrdered)))
    }
  }

  private func letGo() {
    memoryWatch = nil
    outputWatch?.cancel()
    outputWatch = nil
  }

  private func takeOutput(rounds: Int) {
    for _ in 0..<rounds {
      switch try? Descriptors.read(output.readEnd, into: &resources.buffer.bytes) {
      case .bytes(let count): resources.log.append(resources.buffer.bytes[..<count])
      case .wouldBlock: return
      case .end, nil:
        outputWatch?.cancel()
        return
      }
    }
  }
}
