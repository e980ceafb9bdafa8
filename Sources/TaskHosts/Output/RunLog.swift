import JobModel
import LinuxSystem

/// The log of one run, made when the run says its first word: a handler that is silent costs no
/// file.
final class RunLog {
  private enum State {
    case unused
    case open(OutputLog)
    /// It could not be made, on a full disk: the run goes on without (DU4).
    case unavailable
  }

  private var state = State.unused
  private let make: () throws(SystemError) -> OutputLog

  init(_ make: @escaping () throws(SystemError) -> OutputLog) {
    self.make = make
  }

  func append(_ bytes: ArraySlice<UInt8>) {
    if case .unused = state {
      do {
        state = .open(try make())
      } catch {
        state = .unavailable
      }
    }
    if case .open(let log) = state { log.append(bytes) }
  }
}
