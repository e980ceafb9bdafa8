internal import CLinux
internal import Glibc

/// Calls back at a point of the monotonic clock, never early (LC4). One kernel timer.
package final class MonotonicTimer {
  private let timer: Descriptor
  private var watch: Watch?
  /// The deadline that the kernel has; nil where there is none.
  private var armed: Int64?

  package init(on loop: EventLoop, _ handler: @escaping () -> Void) throws(SystemError) {
    let number = try timerDescriptor(CLOCK_MONOTONIC)
    timer = Descriptor(owning: number)
    watch = try loop.watch(number, for: .readable) { [unowned self] _ in
      guard (try? Descriptors.readCounter(number)) != nil else { return }
      armed = nil
      handler()
    }
  }

  /// Sets the one deadline, in nanoseconds of CLOCK_MONOTONIC; one that has passed is due at once.
  /// Nil: none.
  package func set(nanoseconds: Int64?) {
    guard nanoseconds != armed else { return }
    armed = nanoseconds
    arm(timer.number, at: nanoseconds, flags: UInt32(TFD_TIMER_ABSTIME))
  }

  deinit {
    watch?.cancel()
  }
}

/// Calls back at a point of the wall clock, and when the clock is set (PL10).
package final class WallTimer {
  private let timer: Descriptor
  private var watch: Watch?
  /// The deadline that the kernel has, nil once it has fired or the clock was set.
  private var armed: Int64?

  /// `stepped` is called when somebody set the clock; the deadline stays as it was.
  package init(
    on loop: EventLoop, due: @escaping () -> Void, stepped: @escaping () -> Void
  ) throws(SystemError) {
    let number = try timerDescriptor(CLOCK_REALTIME)
    timer = Descriptor(owning: number)
    watch = try loop.watch(number, for: .readable) { [unowned self] _ in
      do throws(SystemError) {
        guard try Descriptors.readCounter(number) != nil else { return }
        armed = nil
        due()
      } catch {
        armed = nil
        if error.code == ECANCELED { stepped() }
      }
    }
    set(nanoseconds: nil)
  }

  /// Sets the one deadline, in nanoseconds since 1970; one that has passed is due at once. Nil:
  /// none, and steps of the clock are still reported.
  package func set(nanoseconds: Int64?) {
    // Steps are only reported by a timer that is armed, so "none" is the end of time.
    let deadline = nanoseconds ?? .max
    guard deadline != armed else { return }
    armed = deadline
    arm(
      timer.number, at: deadline,
      flags: UInt32(TFD_TIMER_ABSTIME) | UInt32(TFD_TIMER_CANCEL_ON_SET))
  }

  deinit {
    watch?.cancel()
  }
}

private func timerDescriptor(_ clock: Int32) throws(SystemError) -> Int32 {
  try check(
    timerfd_create(clock, Int32(TFD_CLOEXEC | TFD_NONBLOCK)), "timerfd_create")
}

private func arm(_ timer: Int32, at nanoseconds: Int64?, flags: UInt32) {
  var setting = itimerspec()
  if let nanoseconds {
    // Zero would disarm it; the past is due now.
    let instant = max(1, nanoseconds)
    setting.it_value = timespec(
      tv_sec: Int(instant / 1_000_000_000), tv_nsec: Int(instant % 1_000_000_000))
  }
  // With a timer of our own and a normalised time the call has no failure; ECANCELED tells of a
  // step of the clock before the setting took force, and the descriptor reports that too.
  _ = unsafe timerfd_settime(timer, Int32(bitPattern: flags), &setting, nil)
}
