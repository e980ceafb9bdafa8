internal import CLinux
internal import Glibc

/// Tells when a process has ended, also one that isn't a child; it isn't reaped by this.
package final class ProcessWatch {
  private let descriptor: Descriptor
  private var watch: Watch?

  /// Calls back once, on the loop's thread. Throws ESRCH for a process that is gone already.
  package init(
    _ process: Int32, on loop: EventLoop, ended: @escaping () -> Void
  ) throws(SystemError) {
    descriptor = Descriptor(
      owning: try checkNegated(bgrun_pidfd_open(process), "pidfd_open", "\(process)"))
    watch = try loop.watch(descriptor.number, for: .readable) { [unowned self] _ in
      watch?.cancel()
      ended()
    }
  }

  deinit {
    watch?.cancel()
  }
}
