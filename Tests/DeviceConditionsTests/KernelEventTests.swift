import DeviceConditions
import Glibc
import JobModel
import LinuxSystem
import Testing

/// An announcement of the kernel, sent on its own socket: the kernel passes on what a privileged
/// process sends, within the sender's network.
@Suite(
  "The kernel's announcements of devices",
  .enabled(if: OwnNetwork.isPossible, "needs root and iproute2"))
struct KernelEventTests {
  /// Sends an announcement to whoever in this network listens to the kernel's.
  private func announce(subsystem: String) throws {
    let number = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue), 15)  // NETLINK_KOBJECT_UEVENT
    defer { close(number) }
    let text = "change@/devices/AC\0ACTION=change\0DEVPATH=/devices/AC\0SUBSYSTEM=\(subsystem)\0"
    // struct nlmsghdr: length, type (any of a family's own), flags (a request), sequence, sender.
    let length = UInt32(16 + text.utf8.count)
    var message = withUnsafeBytes(of: length) { Array($0) }
    for number in [0x10, 1] as [UInt16] { message += withUnsafeBytes(of: number) { Array($0) } }
    message += [UInt8](repeating: 0, count: 8) + Array(text.utf8)
    guard send(number, message, message.count, 0) == message.count else {
      throw SystemError("send", "NETLINK_KOBJECT_UEVENT", code: errno)
    }
  }

  @Test func `PL2: a supply's change is read when the kernel announces it`() throws {
    let network = try OwnNetwork()
    defer { withExtendedLifetime(network) {} }
    let files = try KernelFiles()
    try files.supply("AC", ["type": "Mains", "online": "1"])
    try files.supply("BAT0", ["type": "Battery", "status": "Full", "capacity": "97"])
    let observation = try Observation(of: files)
    try observation.settle()

    // Written through a descriptor that stays open, which inotify doesn't tell here, as in /sys.
    let online = open("\(files.path)/sys/class/power_supply/AC/online", O_WRONLY)
    defer { close(online) }
    #expect(write(online, "0\n", 2) == 2)
    #expect(try !observation.wakes(within: .zero))
    try announce(subsystem: "net")
    try observation.settle()
    #expect(observation.told.isEmpty)

    try announce(subsystem: "power_supply")
    #expect(try observation.turn { !$0.externalPower.value })
  }
}
