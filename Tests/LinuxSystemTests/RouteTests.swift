import Glibc
import LinuxSystem
import Testing

@Suite("Default routes")
struct RouteTests {
  @Test func `the kernel's own tables can be read and agree with what /proc says`() throws {
    let state = try RouteWatch.read()
    // A default route's destination and mask are zero; flag 1 is "up".
    let hasDefault = try Files.text("/proc/net/route").split(separator: "\n").dropFirst().contains {
      let fields = $0.split(separator: "\t")
      return fields[1] == "00000000" && fields[7] == "00000000"
    }
    // A route over a link without carrier doesn't count, so only this direction is certain.
    #expect(hasDefault || !state.hasIPv4Default)
  }

  @Test func `PL3: a default route counts once its link is up and runs`() {
    var table = RouteTable()
    table.add(Message.route(family: AF_INET, link: 2))
    #expect(table.state == DefaultRouteState(hasIPv4Default: false, hasIPv6Default: false))
    table.add(Message.link(2, flags: Message.up))
    #expect(table.state.hasAny == false)
    table.add(Message.link(2, flags: Message.up | Message.running))
    #expect(table.state == DefaultRouteState(hasIPv4Default: true, hasIPv6Default: false))
  }

  @Test func `PL3: loopback, other routes and unreachable ones are no way out`() {
    var table = RouteTable()
    table.add(Message.link(1, flags: Message.up | Message.running | Message.loopback))
    table.add(Message.link(2, flags: Message.up | Message.running))
    table.add(Message.route(family: AF_INET, link: 1))
    table.add(Message.route(family: AF_INET, link: 2, destinationLength: 24))
    table.add(Message.route(family: AF_INET6, link: 2, type: 7))
    #expect(table.state.hasAny == false)
    table.add(Message.route(family: AF_INET6, link: 2))
    #expect(table.state == DefaultRouteState(hasIPv4Default: false, hasIPv6Default: true))
  }

  @Test func `PL3: of a route over several links one is enough`() {
    var table = RouteTable()
    table.add(Message.link(4, flags: Message.up | Message.running))
    table.add(Message.multipathRoute(links: [3, 4]))
    #expect(table.state.hasIPv4Default)
  }

  @Test func `cut messages are passed over`() {
    var table = RouteTable()
    table.add(Message.link(2, flags: Message.up | Message.running))
    let whole = Message.multipathRoute(links: [3, 2])
    for length in 0..<whole.body.count {
      table.add(Message(type: whole.type, body: Array(whole.body[..<length])))
    }
    table.add(Message(type: 9999, body: []))
    table.add(whole)
    #expect(table.state.hasIPv4Default)
  }
}

/// Messages as the kernel writes them.
private struct Message {
  static let up: UInt32 = 1
  static let loopback: UInt32 = 8
  static let running: UInt32 = 0x40

  var type: UInt16
  var body: [UInt8]

  static func link(_ index: Int32, flags: UInt32) -> Message {
    Message(type: 16, body: [0, 0, 1, 0] + bytes(UInt32(index)) + bytes(flags) + bytes(0))
  }

  static func route(
    family: Int32, link: Int32, destinationLength: UInt8 = 0, type: UInt8 = 1
  ) -> Message {
    Message(
      type: 24,
      body: header(family, destinationLength, type) + [8, 0, 4, 0] + bytes(UInt32(link)))
  }

  static func multipathRoute(links: [Int32]) -> Message {
    var hops: [UInt8] = []
    for link in links {
      hops += [16, 0, 0, 0] + bytes(UInt32(link)) + [8, 0, 5, 0, 10, 0, 0, 1]
    }
    return Message(
      type: 24, body: header(AF_INET, 0, 1) + [UInt8(4 + hops.count), 0, 9, 0] + hops)
  }

  private static func header(_ family: Int32, _ length: UInt8, _ type: UInt8) -> [UInt8] {
    [UInt8(family), length, 0, 0, 254, 3, 0, type, 0, 0, 0, 0]
  }

  private static func bytes(_ value: UInt32) -> [UInt8] {
    withUnsafeBytes(of: value) { Array($0) }
  }
}

extension RouteTable {
  fileprivate mutating func add(_ message: Message) {
    add(message.type, message.body[...])
  }
}
