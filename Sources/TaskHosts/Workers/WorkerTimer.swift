import JobModel
import LinuxSystem

/// The one timer of a worker: set to a bound on what it is at, or to the end of its rest.
final class WorkerTimer {
  private var timer: MonotonicTimer?
  private var armedAt: MonotonicInstant?
  /// When a rest that nothing ends is over.
  private var suspendsAt: MonotonicInstant?

  init(on loop: EventLoop, timeIsUp: @escaping () -> Void) throws(SystemError) {
    timer = try MonotonicTimer(on: loop) { [unowned self] in
      armedAt = nil
      timeIsUp()
    }
  }

  /// Goes off after a while, in place of what it was set to.
  func bound(by delay: Duration) { set(at: deadline(after: delay)) }

  /// Goes off at the end of a rest; nil for one that has no end.
  ///
  /// A busy worker rests after each run: the timer of an earlier rest will do until it goes off.
  func rest(for delay: Duration?) {
    suspendsAt = delay.map(deadline(after:))
    guard let suspendsAt, armedAt.map({ suspendsAt < $0 }) ?? true else { return }
    set(at: suspendsAt)
  }

  /// Whether the latest rest is over; one that isn't, because the timer was set for an earlier one,
  /// sets it anew.
  func isRestOver() -> Bool {
    if let suspendsAt, suspendsAt.nanoseconds <= Clocks.now().monotonic { return true }
    set(at: suspendsAt)
    return false
  }

  func clear() { set(at: nil) }

  /// However long a manifest lets it be.
  private func deadline(after delay: Duration) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: Clocks.now().monotonic) + delay
  }

  private func set(at deadline: MonotonicInstant?) {
    armedAt = deadline
    timer?.set(nanoseconds: deadline?.nanoseconds)
  }
}
