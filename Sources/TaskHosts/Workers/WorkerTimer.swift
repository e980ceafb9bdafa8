import JobModel
import LinuxSystem

/// The one timer of a worker: the bound of what it is at, or the end of its rest.
final class WorkerTimer {
  private var timer: MonotonicTimer?
  private var armedAt: MonotonicInstant?
  /// When a rest that nothing ends is over.
  private var restEnds: MonotonicInstant?

  init(on loop: EventLoop, _ timeIsUp: @escaping () -> Void) throws(SystemError) {
    timer = try MonotonicTimer(on: loop) { [unowned self] in
      armedAt = nil
      timeIsUp()
    }
  }

  /// Goes off after this time, however long a manifest lets it be, instead of when it was to.
  func set(after delay: Duration) { arm(at: deadline(after: delay)) }

  func stop() { arm(at: nil) }

  /// Goes off when a rest of this length is over, or sooner; nil never ends by itself.
  func rest(for delay: Duration?) {
    restEnds = delay.map(deadline(after:))
    // A busy worker rests after each run: the timer of an earlier rest will do until it goes off.
    guard let restEnds, armedAt.map({ restEnds < $0 }) ?? true else { return }
    arm(at: restEnds)
  }

  /// Whether the rest is over, when the timer went off; if it was set for an earlier one, it goes off
  /// again.
  func restIsOver() -> Bool {
    if let restEnds, restEnds.nanoseconds <= Clocks.now().monotonic { return true }
    arm(at: restEnds)
    return false
  }

  private func deadline(after delay: Duration) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: Clocks.now().monotonic) + delay
  }

  private func arm(at instant: MonotonicInstant?) {
    armedAt = instant
    timer?.set(nanoseconds: instant?.nanoseconds)
  }
}
