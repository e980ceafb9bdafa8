import Glibc
import LinuxSystem

/// A network of its own for the calling thread: nothing but a loopback link until the test adds
/// more. Only for synchronous tests, which stay on their thread.
final class OwnNetwork {
  /// Whether this process may make one and has the program that changes it.
  static let isPossible =
    Files.executable(named: "ip", searching: searchPath) != nil
    && isolate() == 0 && enter(hostNetwork) == 0

  private static let searchPath = "/usr/sbin:/sbin:/usr/bin:/bin"
  private static let hostNetwork = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC)
  private static let networkFlag: Int32 = 0x4000_0000  // CLONE_NEWNET, which Glibc's module hides

  init() throws {
    _ = Self.hostNetwork
    guard Self.isolate() == 0 else { throw SystemError("unshare", "network", code: errno) }
  }

  deinit { _ = Self.enter(Self.hostNetwork) }

  private static func isolate() -> Int32 {
    typealias Unshare = @convention(c) (Int32) -> Int32
    return unsafeBitCast(dlsym(nil, "unshare"), to: Unshare.self)(networkFlag)
  }

  private static func enter(_ network: Int32) -> Int32 {
    typealias SetNamespace = @convention(c) (Int32, Int32) -> Int32
    return unsafeBitCast(dlsym(nil, "setns"), to: SetNamespace.self)(network, networkFlag)
  }

  /// Adds two links that are joined, `wire` and `far`, both up.
  func addWire() throws {
    try ip("link add wire type veth peer name far")
    try ip("link set far up")
    try ip("link set wire up")
    try ip("address add 192.0.2.2/24 dev wire")
  }

  /// Runs `ip` with these arguments in this network.
  func ip(_ arguments: String) throws {
    let status = system("PATH=\(Self.searchPath) ip \(arguments)")
    guard status == 0 else { throw SystemError("ip \(arguments)", code: status >> 8) }
  }
}
