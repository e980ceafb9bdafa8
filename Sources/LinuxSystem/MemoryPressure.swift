internal import CLinux
internal import Glibc

/// Tells when the machine is short of memory: the kernel's pressure stall information with a
/// threshold, so that nothing is ever polled.
package final class MemoryPressure {
  /// Where the kernel reports it, Linux 4.20 or later with CONFIG_PSI.
  package static let file = "/proc/pressure/memory"

  /// Tasks have waited for memory for 10 % of two seconds. Two seconds are the shortest window that
  /// a user without privileges may ask for. The kernel takes the last byte for the end of the text.
  private static let threshold = "some 200000 2000000\0"

  private let source: Descriptor
  private var watch: Watch?

  /// - Parameters:
  ///   - path: the kernel's file, or one that behaves like it.
  ///   - handler: called while there is pressure, at most once in two seconds.
  /// - Throws: `SystemError` where the kernel doesn't offer this.
  package init(
    path: String = file, on loop: EventLoop, _ handler: @escaping () -> Void
  ) throws(SystemError) {
    source = try Self.armed(path)
    let number = source.number
    watch = try loop.watch(number, for: .changed) { [unowned self] readiness in
      // Anything but a change means that the kernel has taken its offer back.
      if readiness.contains(.changed) { handler() } else { watch?.cancel() }
    }
  }

  deinit {
    watch?.cancel()
  }

  /// Whether the kernel accepts a threshold there.
  package static func isOffered(at path: String = file) -> Bool {
    (try? armed(path)) != nil
  }

  private static func armed(_ path: String) throws(SystemError) -> Descriptor {
    let source = try Descriptor.open(path, O_RDWR | O_NONBLOCK)
    do {
      try Descriptors.write(all: threshold.utf8, to: source.number)
    } catch {
      throw SystemError("write", path, code: error.code)
    }
    return source
  }
}
