internal import CLinux
internal import Glibc

/// Follows the machine's default routes without polling (PL1, PL3).
package final class RouteWatch {
  /// What the kernel's tables say now.
  package private(set) var state: DefaultRouteState
  private let changes: Descriptor
  private var watch: Watch?
  private let handler: (DefaultRouteState) -> Void

  /// Reads the state, and calls the handler, on the loop's thread, whenever it is another one.
  package init(
    on loop: EventLoop, _ handler: @escaping (DefaultRouteState) -> Void
  ) throws(SystemError) {
    self.handler = handler
    // First listen, then read: a change in between is found by the read, and read once more.
    let groups = RTMGRP_LINK | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE
    changes = try netlinkSocket(groups: UInt32(groups))
    state = try Self.read()
    watch = try loop.watch(changes.number, for: .readable) { [unowned self] _ in refresh() }
  }

  deinit {
    watch?.cancel()
  }

  /// What the kernel's tables say now, read at once.
  package static func read() throws(SystemError) -> DefaultRouteState {
    let socket = try netlinkSocket(groups: 0)
    var table = RouteTable()
    try dump(RTM_GETLINK, family: AF_UNSPEC, on: socket.number, into: &table)
    try dump(RTM_GETROUTE, family: AF_INET, on: socket.number, into: &table)
    try dump(RTM_GETROUTE, family: AF_INET6, on: socket.number, into: &table)
    return table.state
  }

  private func refresh() {
    // Which change it was doesn't matter, nor whether some were lost (ENOBUFS): read all anew.
    var buffer = [UInt8](repeating: 0, count: 32_768)
    while true {
      let count = unsafe recv(changes.number, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) { break }
      if count < 0 && errno != EINTR && errno != ENOBUFS { break }
    }
    guard let found = try? Self.read(), found != state else { return }
    state = found
    handler(found)
  }

  private static func dump(
    _ request: Int, family: Int32, on socket: Int32, into table: inout RouteTable
  ) throws(SystemError) {
    let headerSize = MemoryLayout<nlmsghdr>.size
    // rtgenmsg would be enough, but newer kernels want the whole struct of the kind asked for.
    var message = [UInt8](repeating: 0, count: headerSize + 16)
    var header = nlmsghdr()
    header.nlmsg_len = UInt32(message.count)
    header.nlmsg_type = UInt16(request)
    header.nlmsg_flags = UInt16(NLM_F_REQUEST | NLM_F_DUMP)
    unsafe withUnsafeBytes(of: header) { bytes in
      unsafe message.replaceSubrange(0..<headerSize, with: bytes)
    }
    message[headerSize] = UInt8(family)
    guard unsafe send(socket, message, message.count, 0) >= 0 else {
      throw .last("send", "netlink")
    }

    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe recv(socket, &buffer, buffer.count, 0)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw .last("recv", "netlink") }
      var rest = buffer[..<count]
      while rest.count >= headerSize {
        let length = Int(rest.integer(at: 0))
        guard length >= headerSize, length <= rest.count else { break }
        let type = UInt16(rest.integer(at: 4) & 0xffff)
        let body = rest.dropFirst(headerSize).prefix(length - headerSize)
        switch Int32(type) {
        case NLMSG_DONE: return
        case NLMSG_ERROR:
          let code = body.count >= 4 ? Int32(bitPattern: body.integer(at: 0)) : -EIO
          throw SystemError("netlink dump", code: -code)
        default: table.add(type, body)
        }
        rest = rest.dropFirst((length + 3) & ~3)
      }
    }
  }
}

private func netlinkSocket(groups: UInt32) throws(SystemError) -> Descriptor {
  let socket = Descriptor(
    owning: try check(
      Glibc.socket(
        AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), NETLINK_ROUTE),
      "socket", "netlink"))
  var address = sockaddr_nl()
  address.nl_family = sa_family_t(AF_NETLINK)
  address.nl_groups = groups
  let number = socket.number
  let result = unsafe withUnsafePointer(to: address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
      unsafe bind(number, generic, socklen_t(MemoryLayout<sockaddr_nl>.size))
    }
  }
  try check(result, "bind", "netlink")
  return socket
}
