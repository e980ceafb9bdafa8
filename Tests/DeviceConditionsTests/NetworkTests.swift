import DeviceConditions
import JobModel
import Testing

@Suite(
  "The network, as the kernel's routes tell it",
  .enabled(if: OwnNetwork.isPossible, "needs root and iproute2"))
struct NetworkTests {
  @Test func `PL3: without a default route there is no network`() throws {
    let network = try OwnNetwork()
    defer { withExtendedLifetime(network) {} }
    let connectivity = try Observation(of: KernelFiles()).observer.current.connectivity
    #expect(connectivity.value == .none)
    #expect(connectivity.source == "rtnetlink")
    #expect(!connectivity.isAssumed)
  }

  @Test func `PL1, PL3: a default route that comes and goes is told at once`() throws {
    let network = try OwnNetwork()
    let observation = try Observation(of: KernelFiles())
    try network.addWire()
    try observation.settle()
    #expect(observation.observer.current.connectivity.value == .none)

    observation.now = WallInstant(seconds: 2_000)
    try network.ip("route add default via 192.0.2.1")
    #expect(try observation.turn { $0.connectivity.value == .connected })
    #expect(observation.told.last?.connectivity.since == WallInstant(seconds: 2_000))

    // The cable is pulled at the other end: the route stays, the carrier is gone.
    try network.ip("link set far down")
    #expect(try observation.turn { $0.connectivity.value == .none })
    #expect(observation.told.map(\.connectivity.value) == [.connected, .none])
  }

  @Test func `PL3: a default route over IPv6 alone is a network`() throws {
    let network = try OwnNetwork()
    let observation = try Observation(of: KernelFiles())
    try network.addWire()
    try network.ip("-6 route add default dev wire")
    #expect(try observation.turn { $0.connectivity.value == .connected })
  }

  @Test func `PL3: a default route that says there is no way is no network`() throws {
    let network = try OwnNetwork()
    let observation = try Observation(of: KernelFiles())
    try network.ip("route add unreachable default")
    try observation.settle()
    #expect(observation.observer.current.connectivity.value == .none)
  }

  @Test func `PL3: a tunnel that goes away leaves the way that was there before`() throws {
    let network = try OwnNetwork()
    let observation = try Observation(of: KernelFiles())
    try network.addWire()
    try network.ip("route add default via 192.0.2.1 metric 100")
    try network.ip("link add tunnel type veth peer name beyond")
    try network.ip("link set tunnel up")
    try network.ip("link set beyond up")
    try network.ip("route add default dev tunnel metric 50")
    #expect(try observation.turn { $0.connectivity.value == .connected })
    try network.ip("link del tunnel")
    try observation.settle()
    #expect(observation.observer.current.connectivity.value == .connected)
    try network.ip("route del default via 192.0.2.1 metric 100")
    #expect(try observation.turn { $0.connectivity.value == .none })
  }

  @Test(arguments: ["online", "partial"])
  func `PL3: without routes of the kernel's, what systemd-networkd writes counts`(state: String)
    throws
  {
    let network = try OwnNetwork()
    defer { withExtendedLifetime(network) {} }
    let files = try KernelFiles()
    // The service starts later than this program.
    try files.write(["/run/systemd/private": ""])
    let observation = try Observation(of: files)
    #expect(observation.observer.current.connectivity.value == .none)
    try files.write(["/run/systemd/netif/state": "OPER_STATE=routable\nONLINE_STATE=\(state)"])
    #expect(try observation.turn { $0.connectivity.value == .connected })
    #expect(
      observation.observer.current.connectivity.source.hasSuffix("/run/systemd/netif/state"))
    try files.replace("/run/systemd/netif/state", with: "ONLINE_STATE=offline")
    #expect(try observation.turn { $0.connectivity.value == .none })
  }

  @Test func `PL3: an unfinished or strange state of systemd-networkd counts as no way out`() throws
  {
    let network = try OwnNetwork()
    defer { withExtendedLifetime(network) {} }
    let files = try KernelFiles()
    try files.write(["/run/systemd/netif/state": "ONLINE_STATE=\nONLINE_STATE=onlineish\n\u{1}"])
    #expect(try Observation(of: files).observer.current.connectivity.value == .none)
  }
}
