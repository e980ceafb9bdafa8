internal import CLinux
internal import Glibc

/// The sending end: tells a service manager, or the runner, how this process is doing.
package struct ServiceNotifier: Sendable {
  private let address: String

  /// Nil when nobody asked for notifications.
  package init?(environment: [String: String]) {
    guard let address = environment["NOTIFY_SOCKET"], !address.isEmpty else { return nil }
    self.address = address
  }

  /// Sends lines of the protocol as one datagram; a receiver that is gone is not an error.
  package func send(_ lines: String) {
    try? deliver(lines)
  }

  /// Sends lines of the protocol as one datagram.
  package func deliver(_ lines: String) throws(SystemError) {
    try send(Array(lines.utf8), alongside: -1)
  }

  /// Waits until the receiver has read everything sent before, at most for `limit`: a process that
  /// ends right after sending would be gone when the receiver asks whose it was.
  package func waitUntilReceived(atMost limit: Duration) throws(SystemError) {
    let pipe = try Pipe()
    try send(Array("BARRIER=1".utf8), alongside: pipe.writeEnd)
    // The receiver's copy of the writing end is now the only one: it is closed when it is read.
    pipe.closeWriteEnd()
    var waited = pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0)
    let milliseconds = Int32(clamping: limit.wholeNanoseconds / 1_000_000)
    while unsafe poll(&waited, 1, milliseconds) < 0 && errno == EINTR { continue }
  }

  private func send(_ bytes: [UInt8], alongside descriptor: Int32) throws(SystemError) {
    let socket = Descriptor(
      owning: try check(
        Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0), "socket"))
    let number = socket.number
    let result = unsafe try SocketAddress(address).withAddress { pointer, length in
      unsafe bgrun_send_datagram(number, pointer, Int(length), bytes, bytes.count, descriptor)
    }
    try checkNegated(result, "sendmsg", address)
  }
}
