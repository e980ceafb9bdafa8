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
  private var watch: Watch?
  private var buffer = [UInt8](repeating: 0, count: 8192)

  /// Binds to a path or, with `@` first, to an abstract address, and calls the handler for each
  /// message, on the loop's thread. A socket left at the path by a dead process is replaced.
  package init(
    at address: String, on loop: EventLoop, _ handler: @escaping (NotifyMessage, Sender) -> Void
  ) throws(SystemError) {
    self.address = address
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
    watch = try loop.watch(number, for: .readable) { [unowned self] _ in drain(handler) }
  }

  deinit {
    watch?.cancel()
    if let path { try? Files.remove(path) }
  }

  private func drain(_ handler: (NotifyMessage, Sender) -> Void) {
    var sender = bgrun_datagram_sender()
    while true {
      let count = unsafe bgrun_receive_datagram(socket.number, &buffer, buffer.count, &sender)
      guard count >= 0 else { return }
      handler(
        NotifyMessage(buffer[..<count]), Sender(process: sender.process, user: sender.user))
    }
  }
}

/// The sending end: tells a service manager, or the runner, how this process is doing.
package struct ServiceNotifier: Sendable {
  private let address: String

  /// Nil when nobody asked for notifications.
  package init?(environment: [String: String]) {
    guard let address = environment["NOTIFY_SOCKET"], !address.isEmpty else { return nil }
    self.address = address
  }

  /// Ready to work (`Type=notify`).
  package func ready(status: String) throws(SystemError) {
    try send(["READY=1", "STATUS=\(status)"])
  }

  /// Reads its configuration again; `ready` follows.
  package func reloading() throws(SystemError) {
    try send(["RELOADING=1", "MONOTONIC_USEC=\(Clocks.now().monotonic / 1000)"])
  }

  /// Going down, and for how long at most (PL14).
  package func stopping(within limit: Duration) throws(SystemError) {
    try send(["STOPPING=1", "EXTEND_TIMEOUT_USEC=\(max(0, limit.wholeNanoseconds / 1000))"])
  }

  /// A line for people.
  package func status(_ text: String) throws(SystemError) {
    try send(["STATUS=\(text)"])
  }

  /// Sends lines as one datagram; a line break inside one would start another, so it becomes a
  /// space.
  package func send(_ lines: [String]) throws(SystemError) {
    let text = lines.map { $0.split(separator: "\n").joined(separator: " ") }
      .joined(separator: "\n")
    try send(Array(text.utf8), alongside: -1)
  }

  /// Waits until the receiver has read everything sent before, at most for `limit`: a process that
  /// ends right after sending would be gone when the receiver asks whose it was.
  package func waitUntilReceived(atMost limit: Duration) throws(SystemError) {
    var reading: Int32 = -1
    var writing: Int32 = -1
    try checkNegated(unsafe bgrun_pipe(&reading, &writing), "pipe2")
    let readEnd = Descriptor(owning: reading)
    // The receiver's copy of the writing end is then the only one: at its close, the end is read.
    try sendBarrier(Descriptor(owning: writing))
    var waited = pollfd(fd: readEnd.number, events: Int16(POLLIN), revents: 0)
    let milliseconds = Int32(clamping: limit.wholeNanoseconds / 1_000_000)
    while unsafe poll(&waited, 1, milliseconds) < 0 && errno == EINTR { continue }
  }

  private func sendBarrier(_ writeEnd: consuming Descriptor) throws(SystemError) {
    try send(Array("BARRIER=1".utf8), alongside: writeEnd.number)
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
