internal import CLinux
internal import Glibc

/// A program in the keeper's hands, with everything it starts.
package final class SpawnedRun {
  /// What the keeper tells.
  package enum Report: Hashable, Sendable {
    /// The program runs; its process is also its process group.
    case started(process: Int32)
    /// It could not be started.
    case launchFailed(LaunchFailure)
    /// It has ended and nothing that it started is left (ST2, LC5).
    case ended(Ending)
  }

  /// Why a program didn't start.
  package struct LaunchFailure: Error, Hashable, Sendable {
    package enum Step: Sendable {
      /// The folder to start in can't be entered.
      case workingFolder
      /// The file can't be executed.
      case program
      /// The machine has no place for another process.
      case process
      /// Somebody killed the keeper before it had started anything.
      case keeper
    }
    package var step: Step
    /// The error number.
    package var code: Int32

    package init(step: Step, code: Int32) {
      self.step = step
      self.code = code
    }
  }

  /// How a program ended.
  package struct Ending: Hashable, Sendable {
    package enum Exit: Hashable, Sendable {
      case status(Int32)
      case signal(Int32)
      /// The keeper or the run's supervisor was killed, and the status with it.
      case lost
    }
    package var exit: Exit
    /// Bytes; of the largest process where there is no control group with memory accounting.
    package var peakMemory: Int64
    /// User and system time of the program and the children it waited for.
    package var processorTime: Duration
    /// Whether something it had started outlived it and was killed (LC5).
    package var hasKilledRest: Bool
  }

  /// The program's process, once it has started.
  package private(set) var process: Int32?
  private var membership = Membership.unknown
  /// How to come back from behind; nil while the run is at its usual place.
  private var wayBack: (() -> Void)?
  private let socket: Descriptor
  private let group: String?
  private let loop: EventLoop
  private var handler: ((Report) -> Void)?
  private var watch: Watch?
  private let keeper: Int32
  private var keeperWatch: ProcessWatch?

  private enum Membership {
    case unknown
    case group(String)
    case supervisor(Int32)
  }

  /// - Parameter keeper: the keeper's process.
  init(
    socket: consuming Descriptor, group: String?, keeper: Int32, on loop: EventLoop,
    _ handler: @escaping (Report) -> Void
  ) throws(SystemError) {
    let number = socket.number
    self.socket = socket
    self.group = group
    self.keeper = keeper
    self.loop = loop
    self.handler = handler
    watch = try loop.watch(number, for: .readable) { [self] _ in receive() }
  }

  /// SIGTERM to the program's process group. A run that has ended is not an error.
  package func terminate() { order(BGRUN_TERMINATE) }

  /// SIGKILL to everything the run started. A run that has ended is not an error.
  package func kill() { order(BGRUN_KILL) }

  /// SIGSTOP to the program's process group: it uses no processor until it is resumed or killed.
  package func suspend() { order(BGRUN_SUSPEND) }

  /// SIGCONT to the program's process group.
  package func resume() { order(BGRUN_CONTINUE) }

  /// Whether a process belongs to this run; false once it is gone.
  package func contains(_ process: Int32) -> Bool {
    switch membership {
    case .unknown: false
    case .group(let path): ProcessTable.groupPath(of: process).map { path.hasSuffix($0) } ?? false
    case .supervisor(let supervisor): ProcessTable.isDescendant(process, of: supervisor)
    }
  }

  /// Bytes of memory in use by everything the run started; file pages that other programs may
  /// share don't count.
  package func memoryInUse() -> Int64 {
    switch membership {
    case .unknown: 0
    case .group(let path): ControlGroups.memoryInUse(path)
    case .supervisor(let supervisor):
      ProcessTable.descendants(of: supervisor).reduce(0) {
        $0 + ProcessTable.privateMemory(of: $1)
      }
    }
  }

  /// Where a run stands among what else the machine does.
  package enum Place: Hashable, Sendable {
    case usual
    /// - Parameters:
    ///   - niceness: that of its threads; what a program has put further behind stays there.
    ///   - usual: the niceness to come back to; nil where this process may not lower a niceness, so
    ///     that none is raised.
    case behind(niceness: Int32, usual: Int32?)
  }

  /// Moves everything that the run started (CP9): by the weight of its control group where that has
  /// one, which everybody may set back, and by the niceness of its threads elsewhere.
  package func move(to place: Place) {
    switch place {
    case .usual:
      wayBack?()
      wayBack = nil
    case .behind(let niceness, let usual):
      guard wayBack == nil else { return }
      if case .group(let path) = membership, let before = ControlGroups.niceness(of: path) {
        ControlGroups.setNiceness(niceness, of: path)
        wayBack = { ControlGroups.setNiceness(before, of: path) }
      } else if let usual {
        Priority.change(processes, from: { $0 < niceness }, to: niceness)
        wayBack = { [unowned self] in
          Priority.change(processes, from: { $0 == niceness }, to: usual)
        }
      }
    }
  }

  /// Everything that the run has started and that lives.
  private func processes() -> [Int32] {
    switch membership {
    case .unknown: []
    case .group(let path): ControlGroups.processes(path)
    case .supervisor(let supervisor): ProcessTable.descendants(of: supervisor)
    }
  }

  private func order(_ order: bgrun_run_order_kind) {
    // EPIPE and ECONNRESET: it has ended, which the handler is told.
    _ = bgrun_run_order(socket.number, order)
  }

  private func receive() {
    var report = bgrun_report()
    let result = unsafe bgrun_run_receive(socket.number, &report)
    if result == -EAGAIN || result == -EINTR { return }
    guard result == 1 else { return lose() }
    switch bgrun_report_kind(UInt32(report.kind)) {
    case BGRUN_STARTED:
      process = report.process
      membership =
        if report.grouped == 1, let group { .group(group) } else { .supervisor(report.supervisor) }
      handler?(.started(process: report.process))
    case BGRUN_LAUNCH_FAILED:
      finish(.launchFailed(LaunchFailure(report)))
    default:
      finish(.ended(Ending(report)))
    }
  }

  private func finish(_ report: Report) {
    watch?.cancel()
    watch = nil
    let handler = handler
    self.handler = nil
    handler?(report)
  }

  /// The other side is gone without a last report: a supervisor, whose processes the keeper kills, or
  /// the keeper, whose control groups are killed here.
  private func lose() {
    watch?.cancel()
    watch = nil
    let last: Report =
      process == nil
      ? .launchFailed(LaunchFailure(step: .keeper, code: ECONNRESET))
      : .ended(Ending(exit: .lost, peakMemory: 0, processorTime: .zero, hasKilledRest: true))
    switch membership {
    case .supervisor: finish(last)
    case .group(let path): finish(last, killing: path)
    case .unknown: finish(last, killing: group)
    }
  }

  /// The keeper is going, so nobody else does this. Its descriptors are closed one after the other: a
  /// report before its end would have the next program launched by it.
  private func finish(_ report: Report, killing group: String?) {
    let afterKeeper = { [self] in
      keeperWatch = nil
      guard let group, Files.isFolder(group) else { return finish(report) }
      ControlGroups.kill(group, on: loop) { [self] in finish(report) }
    }
    keeperWatch = try? ProcessWatch(keeper, on: loop, ended: afterKeeper)
    // It has been reaped already.
    if keeperWatch == nil { afterKeeper() }
  }
}

extension SpawnedRun.LaunchFailure {
  fileprivate init(_ report: bgrun_report) {
    step =
      switch bgrun_launch_step(UInt32(report.step)) {
      case BGRUN_STEP_DIRECTORY: .workingFolder
      case BGRUN_STEP_PROGRAM: .program
      default: .process
      }
    code = report.error
  }
}

extension SpawnedRun.Ending {
  fileprivate init(_ report: bgrun_report) {
    exit = report.signalled == 1 ? .signal(report.status) : .status(report.status)
    peakMemory = report.peak_memory
    processorTime = .microseconds(report.processor_time_microseconds)
    hasKilledRest = report.killed_rest == 1
  }
}
