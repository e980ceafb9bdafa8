/// Why a program is in the background; without any cause it is in the foreground.
package enum BackgroundCause: Hashable, Sendable {
  /// Nothing executes in it: a worker between two runs.
  case idle
  /// It was sent there: a stop, or sleep that logind announces.
  case sentAway
}
