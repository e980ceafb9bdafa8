import Glibc
import JobModel
import LinuxSystem

/// Writes lines, each with its time and level, to standard error: in a worker, the run's log.
public struct HandlerLogger: Sendable {
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
    // One write, so that lines of several threads don't mix. A log that can't be written doesn't
    // stop the work.
    try? Descriptors.write(all: "\(time) \(level) \(message)\n".utf8, to: STDERR_FILENO)
  }
}
