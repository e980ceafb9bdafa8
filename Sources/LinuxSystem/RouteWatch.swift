internal import CLinux
internal import Glibc

/// Tells when the machine's default routes may have changed, without polling (PL1, PL3).
package final class RouteWatch {
  private let changes: Descriptor
  private var watch: Watch?

  /// Calls the handler, on the loop's thread, after changes of links or routes; which ones doesn't
  /// matter, nor whether some announcements were lost: whoever wants to know reads all anew.
  package init(on loop: EventLoop, _ handler: @escaping () -> Void) throws(SystemError) {
    let groups = RTMGRP_LINK | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE
    changes = try Netlink.socket(NETLINK_ROUTE, groups: UInt32(groups))
    watch = try loop.watch(changes.number, for: .readable) { [unowned self] _ in
      Netlink.drain(changes.number) { _ in }
      handler()
    }
  }

  deinit {
    watch?.cancel()
  }

  /// What the kernel's tables say now, read at once.
  package static func read() throws(SystemError) -> DefaultRouteState {
    let socket = try Netlink.socket(NETLINK_ROUTE, groups: 0)
    var table = RouteTable()
    try dump(RTM_GETLINK, family: AF_UNSPEC, on: socket.number, into: &table)
    try dump(RTM_GETROUTE, family: AF_INET, on: socket.number, into: &table)
    try dump(RTM_GETROUTE, family: AF_INET6, on: socket.number, into: &table)
    return table.state
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
