internal import CLinux
internal import Glibc

/// Whether the machine has a way out (PL3), as the kernel's routes and links say.
package struct DefaultRouteState: Hashable, Sendable {
  /// A default route over a link that is up and has a carrier.
  package var hasIPv4Default: Bool
  package var hasIPv6Default: Bool

  package init(hasIPv4Default: Bool, hasIPv6Default: Bool) {
    self.hasIPv4Default = hasIPv4Default
    self.hasIPv6Default = hasIPv6Default
  }

  package var hasAny: Bool { hasIPv4Default || hasIPv6Default }
}

/// The kernel's tables of links and routes as far as default routes are concerned, built from the
/// messages of a netlink dump.
package struct RouteTable: Sendable {
  private struct Route {
    var isIPv6: Bool
    /// Any of several for a route with next hops; empty for one without a link.
    var links: [Int32]
  }
  private var defaults: [Route] = []
  private var usableLinks: Set<Int32> = []

  package init() {}

  package var state: DefaultRouteState {
    let usable = defaults.filter { !usableLinks.isDisjoint(with: $0.links) }
    return DefaultRouteState(
      hasIPv4Default: usable.contains { !$0.isIPv6 },
      hasIPv6Default: usable.contains { $0.isIPv6 })
  }

  /// Takes one message of a dump: its type and what follows its header.
  package mutating func add(_ type: UInt16, _ body: ArraySlice<UInt8>) {
    switch Int32(type) {
    case Int32(RTM_NEWLINK): addLink(body)
    case Int32(RTM_NEWROUTE): addRoute(body)
    default: return
    }
  }

  private mutating func addLink(_ body: ArraySlice<UInt8>) {
    guard body.count >= MemoryLayout<ifinfomsg>.size else { return }
    let index = Int32(bitPattern: body.integer(at: 4))
    let flags = body.integer(at: 8)
    let isLoopback = flags & UInt32(IFF_LOOPBACK.rawValue) != 0
    // Up is the administrator's wish, running is the carrier.
    let needed = UInt32(IFF_UP.rawValue) | UInt32(IFF_RUNNING.rawValue)
    if !isLoopback && flags & needed == needed { usableLinks.insert(index) }
  }

  private mutating func addRoute(_ body: ArraySlice<UInt8>) {
    let headerSize = MemoryLayout<rtmsg>.size
    guard body.count >= headerSize else { return }
    let family = Int32(body[body.startIndex])
    let destinationLength = body[body.startIndex + 1]
    let type = UInt32(body[body.startIndex + 7])
    // "unreachable default" is a default route that says there is no way.
    guard family == AF_INET || family == AF_INET6, destinationLength == 0,
      type == UInt32(RTN_UNICAST)
    else { return }
    var links: [Int32] = []
    for (kind, value) in NetlinkAttributes(body.dropFirst(headerSize)) {
      switch UInt32(kind) {
      case UInt32(RTA_OIF.rawValue) where value.count >= 4:
        links.append(Int32(bitPattern: value.integer(at: 0)))
      case UInt32(RTA_MULTIPATH.rawValue):
        links += Self.linksOfNextHops(value)
      default: continue
      }
    }
    defaults.append(Route(isIPv6: family == AF_INET6, links: links))
  }

  private static func linksOfNextHops(_ value: ArraySlice<UInt8>) -> [Int32] {
    var links: [Int32] = []
    var rest = value
    // struct rtnexthop: length (2 bytes), flags, hops, link.
    while rest.count >= 8 {
      links.append(Int32(bitPattern: rest.integer(at: 4)))
      let length = Int(rest.integer(at: 0) & 0xffff)
      guard length >= 8 else { return links }
      rest = rest.dropFirst((length + 3) & ~3)
    }
    return links
  }
}

/// The attributes behind a netlink message's fixed part.
struct NetlinkAttributes: Sequence, IteratorProtocol {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  mutating func next() -> (kind: UInt16, value: ArraySlice<UInt8>)? {
    guard rest.count >= 4 else { return nil }
    let header = rest.integer(at: 0)
    let length = Int(header & 0xffff)
    guard length >= 4, length <= rest.count else { return nil }
    let value = rest.dropFirst(4).prefix(length - 4)
    rest = rest.dropFirst((length + 3) & ~3)
    // The highest two bits are flags.
    return (UInt16(header >> 16) & 0x3fff, value)
  }
}

extension ArraySlice<UInt8> {
  /// Four bytes in the machine's order, counted from the slice's start, which must hold them.
  func integer(at offset: Int) -> UInt32 {
    var value: UInt32 = 0
    for index in 0..<4 {
      let byte = UInt32(self[startIndex + offset + index])
      #if _endian(little)
        value |= byte << (8 * UInt32(index))
      #else
        value |= byte << (8 * UInt32(3 - index))
      #endif
    }
    return value
  }
}
