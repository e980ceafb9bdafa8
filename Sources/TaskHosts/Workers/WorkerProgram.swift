import JobModel
import LinuxSystem

/// How this program is started again as a worker.
package struct WorkerProgram: Sendable {
  /// The one argument by which a program knows that it is a worker.
  package static let argument = "--bgrun-worker"

  /// The executable that runs now, even when the file has been replaced since.
  private static let executable = "/proc/self/exe"

  /// Variables that are the runner's own business with its service manager, or of a run around it.
  private static let withheld: Set<String> = [
    "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES",
    "BGRUN_IDENTIFIER", "BGRUN_KEY", "BGRUN_RUN_ID", "BGRUN_ATTEMPT", "BGRUN_SCHEDULED_AT",
    "BGRUN_DEADLINE", "BGRUN_JOB_DIR", "BGRUN_WITH",
  ]

  private let name: String
  private let folder: String
  private let environment: [String: String]

  /// - Parameters:
  ///   - name: what the process list shows.
  ///   - folder: where workers start: the runner's own folder.
  ///   - environment: the runner's own, which passes to the workers: they are the same program.
  ///   - backtracer: path of the program that prints the backtrace of a crash; nil where there is
  ///     none.
  package init(
    name: String, folder: String, environment: [String: String], backtracer: String? = nil
  ) {
    self.name = name
    self.folder = folder
    var passed = environment.filter { !Self.withheld.contains($0.key) }
    if let backtracer, passed["SWIFT_BACKTRACE"] == nil {
      // The crash of a handler is told in the run's log.
      passed["SWIFT_BACKTRACE"] =
        "enable=yes,color=no,interactive=no,swift-backtrace=\(backtracer)"
    }
    self.environment = passed
  }

  func launch(_ quality: QualityOfService) -> ProgramLaunch {
    ProgramLaunch(
      program: Self.executable, arguments: [name, Self.argument], environment: environment,
      workingFolder: folder, niceness: quality.niceness,
      hasIdleInputOutput: quality == .background)
  }
}
