import JobModel
import LinuxSystem
import Synchronization
import TaskHosts

/// Passes on changes of progress that a person could see, however often a handler reports: each
/// text, and a fraction that moved by a thousandth or a twentieth of a second later. The last one
/// goes with the completion.
final class ProgressThrottle: Sendable {
  private static let step = 0.001
  private static let interval: Int64 = 50_000_000

  private struct Sent {
    var fraction = 0.0
    var at = Int64.min
  }

  private let sent = Mutex(Sent())
  private let pass: @Sendable (ProgressReport) -> Void

  init(_ pass: @escaping @Sendable (ProgressReport) -> Void) {
    self.pass = pass
  }

  func take(_ change: HandlerProgress.Change) {
    let fraction = change.fractionCompleted.flatMap { isWorthSending($0) ? $0 : nil }
    let report = ProgressReport(
      fraction: fraction, title: change.title, subtitle: change.subtitle)
    if report != ProgressReport() { pass(report) }
  }

  private func isWorthSending(_ fraction: Double) -> Bool {
    let now = Clocks.now().monotonic
    return sent.withLock { sent in
      guard
        abs(fraction - sent.fraction) >= Self.step || fraction == 1
          || sent.at == .min || now - sent.at >= Self.interval
      else { return false }
      sent = Sent(fraction: fraction, at: now)
      return true
    }
  }
}
