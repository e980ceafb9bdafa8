internal import CLinux
internal import Glibc

/// A kernel timer that one thread sets for another one, which sleeps until it goes off.
package final class Alarm: Sendable {
  private let timer: Descriptor

  package init() throws(SystemError) {
    timer = Descriptor(
      owning: try check(timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC)), "timerfd_create"))
  }

  /// Lets it go off once, after a time that is longer than nothing.
  package func set(after delay: Duration) {
    set(nanoseconds: max(1, delay.wholeNanoseconds))
  }

  /// Takes that back; it may have gone off already.
  package func clear() { set(nanoseconds: 0) }

  /// Blocks the thread until it goes off.
  package func wait() {
    _ = try? Descriptors.readCounter(timer.number)
  }

  private func set(nanoseconds: Int64) {
    var setting = itimerspec()
    setting.it_value = timespec(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    // With a timer of our own and a normalised time the call has no failure.
    _ = unsafe timerfd_settime(timer.number, 0, &setting, nil)
  }
}
