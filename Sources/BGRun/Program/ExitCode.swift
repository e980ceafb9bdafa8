/// What the process tells its caller: one closed list, the same for every command.
package enum ExitCode: Int32, Hashable, Sendable {
  /// Done as asked; a stop by SIGTERM too.
  case done = 0
  /// The command did its work and found something: diagnostics, or a job that failed.
  case findings = 1
  /// It could not be done as asked: usage, a missing file, nothing that matches.
  case notDone = 2
  /// A fault of this program.
  case internalFault = 70
  /// Stopped by SIGINT.
  case interrupted = 130
  /// The reader of standard output went away: what a shell reports for a program that SIGPIPE
  /// ended, as `git log | head` does.
  case outputClosed = 141
}
