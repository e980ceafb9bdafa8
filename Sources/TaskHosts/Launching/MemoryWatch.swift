import JobModel
import LinuxSystem

/// Samples the memory of one run that has a limit, once a second; runs without a limit cost nothing
/// (PL1).
final class MemoryWatch {
  private static let interval: Int64 = 1_000_000_000

  private var timer: MonotonicTimer?

  /// Calls `exceeded` once, with the bytes in use, when they are over the limit.
  init(
    limit: Int64, of memoryInUse: @escaping () -> Int64, on loop: EventLoop,
    exceeded: @escaping (Int64) -> Void
  ) throws(SystemError) {
    timer = try MonotonicTimer(on: loop) { [unowned self] in
      let bytes = memoryInUse()
      if bytes > limit { exceeded(bytes) } else { arm() }
    }
    arm()
  }

  private func arm() {
    timer?.set(nanoseconds: Clocks.now().monotonic + Self.interval)
  }
}
