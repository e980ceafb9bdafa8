internal import CLinux
internal import Glibc

/// What sockets to the kernel have in common.
enum Netlink {
  /// A socket of one family of messages that hears the groups in the mask.
  static func socket(_ family: Int32, groups: UInt32) throws(SystemError) -> Descriptor {
    let socket = Descriptor(
      owning: try check(
        Glibc.socket(
          AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), family),
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

  /// Takes every message that waits; false when some were lost (ENOBUFS), so that anything may have
  /// changed.
  @discardableResult
  static func drain(_ socket: Int32, _ take: (ArraySlice<UInt8>) -> Void) -> Bool {
    var isComplete = true
    var buffer = [UInt8](repeating: 0, count: 32_768)
    while true {
      let count = unsafe recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count >= 0 {
        take(buffer[..<count])
      } else if errno == ENOBUFS {
        isComplete = false
      } else if errno != EINTR {
        return isComplete
      }
    }
  }
}
