internal import CLinux
internal import Glibc

/// Tells when the kernel announces a change of devices (uevents over netlink), which files in /sys
/// don't tell themselves: inotify is blind there.
package final class DeviceEventWatch {
  private let events: Descriptor
  private var watch: Watch?

  /// Calls the handler, on the loop's thread, after one or more announcements for the subsystem, or
  /// after some announcements were lost.
  ///
  /// - Parameter subsystem: its name under /sys/class, such as "power_supply".
  /// - Throws: `SystemError` where the kernel gives no such socket, as in some sandboxes.
  package init(
    of subsystem: String, on loop: EventLoop, _ handler: @escaping () -> Void
  ) throws(SystemError) {
    // Group 1 is the kernel's own; only a privileged process can send to it.
    events = try Netlink.socket(NETLINK_KOBJECT_UEVENT, groups: 1)
    let line = Array("SUBSYSTEM=\(subsystem)".utf8)
    watch = try loop.watch(events.number, for: .readable) { [unowned self] _ in
      var concerns = false
      let isComplete = Netlink.drain(events.number) { message in
        // Lines that end in NUL: "change@/devices/…", "ACTION=change", "SUBSYSTEM=…".
        concerns = concerns || message.split(separator: 0).contains { $0.elementsEqual(line) }
      }
      if concerns || !isComplete { handler() }
    }
  }

  deinit {
    watch?.cancel()
  }
}
