internal import CLinux
internal import Glibc

/// Turns signals into calls on the loop: they are blocked in the creating thread (and in threads
/// that it starts afterwards) for as long as the process lives, and never interrupt anything.
package final class SignalSource {
  private let descriptor: Descriptor
  private var watch: Watch?

  /// Create it on the main thread before any other thread, and before readiness is announced.
  package init(
    _ signals: [Int32], on loop: EventLoop, _ handler: @escaping (Int32) -> Void
  ) throws(SystemError) {
    let number = try checkNegated(
      unsafe bgrun_signal_descriptor(signals, signals.count), "signalfd")
    descriptor = Descriptor(owning: number)
    watch = try loop.watch(number, for: .readable) { _ in
      var info = signalfd_siginfo()
      let size = MemoryLayout<signalfd_siginfo>.size
      while unsafe read(number, &info, size) == size { handler(Int32(info.ssi_signo)) }
    }
  }

  deinit {
    watch?.cancel()
  }
}

/// The signals that the runner listens to.
package enum Signals {
  package static let interrupt = SIGINT
  /// The terminal's stop key.
  package static let suspend = SIGTSTP

  /// The name of a signal, such as "SIGSEGV".
  package static func name(of signal: Int32) -> String {
    guard let name = unsafe bgrun_signal_abbreviation(signal) else { return "signal \(signal)" }
    return "SIG" + (unsafe String(cString: name))
  }

  /// Lets the kernel reap children and adopted orphans by itself. Only for PID 1, whose children
  /// of interest all belong to the keeper: it must never leave a defunct process.
  package static func reapAutomaticallyAsInit() {
    if getpid() == 1 { _ = signal(SIGCHLD, SIG_IGN) }
  }
}
