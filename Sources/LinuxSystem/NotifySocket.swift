internal import CLinux
internal import Glibc

/// The receiving end of the sd_notify protocol.
package final class NotifySocket {
  /// Who sent a message, as the kernel vouches for it.
  package struct Sender: Hashable, Sendable {
    /// 0 for a process that this one can't see.
    package var process: Int32
    package var user: UInt32

    package init(process: Int32, user: UInt32) {
      self.process = process
      self.user = user
    }
  }

  /// What `NOTIFY_SOCKET` is set to.
  package let address: String
  private let path: String?
  private let socket: Descriptor
  private let handler: (NotifyMessage, Sender) -> Void
  private var watch: Watch?
  private var buffer = [UInt8](repeating: 0, count: 8192)

  /// Binds to a path or, with `@` first, to an abstract address, and calls the handler for each
  /// message, on the loop's thread. A socket left at the path by a dead process is replaced.
  package init(
    at address: String, on loop: EventLoop, _ handler: @escaping (NotifyMessage, Sender) -> Void
  ) throws(SystemError) {
    self.address = address
    self.handler = handler
    path = address.hasPrefix("@") ? nil : address
    socket = Descriptor(
      owning: try check(
        Glibc.socket(
          AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0),
        "socket"))
    if let path { try Files.remove(path) }
    let number = socket.number
    try check(
      unsafe SocketAddress(address).withAddress { unsafe bind(number, $0, $1) }, "bind", address)
    var isOn: Int32 = 1
    try check(
      unsafe setsockopt(
        number, SOL_SOCKET, SO_PASSCRED, &isOn, socklen_t(MemoryLayout<Int32>.size)),
      "setsockopt", address)
    watch = try loop.watch(number, for: .readable) { [unowned self] _ in drain() }
  }

  /// Handles what has arrived, without waiting for the loop's next round.
  package func receivePending() { drain() }

  deinit {
    watch?.cancel()
    if let path { try? Files.remove(path) }
  }

  private func drain() {
    var sender = bgrun_datagram_sender()
    while true {
      let count = unsafe bgrun_receive_datagram(socket.number, &buffer, buffer.count, &sender)
      guard count >= 0 else { return }
      handler(
        NotifyMessage(buffer[..<count]), Sender(process: sender.process, user: sender.user))
    }
  }
}
