import Glibc
import JobModel
import LinuxSystem

/// Writes lines, each with its time and level, to the run's log.
public struct HandlerLogger: Sendable {
  private let log: @Sendable (_ line: String) -> Void

  init(_ log: @escaping @Sendable (_ line: String) -> Void) {
    self.log = log
  }

  /// Detail for whoever looks for a fault.
  public func debug(_ message: String) { write("debug", message) }

  /// What the run does.
  public func info(_ message: String) { write("info", message) }

  /// Something that a person should look at, although the run goes on.
  public func warning(_ message: String) { write("warning", message) }

  /// Something that failed.
  public func error(_ message: String) { write("error", message) }

  private func write(_ level: String, _ message: String) {
    let time = RFC3339.format(WallInstant(microseconds: Clocks.now().wall / 1000))
    log("\(time) \(level) \(message)\n")
  }

  /// In a worker the standard error is the run's log.
  @Sendable package static func writeToStandardError(_ line: String) {
    // One write, so that lines of several threads don't mix. A log that can't be written doesn't
    // stop the work.
    try? Descriptors.write(all: line.utf8, to: STDERR_FILENO)
  }
}
