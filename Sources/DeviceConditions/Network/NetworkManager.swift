internal import JobModel

/// Connectivity and its price as NetworkManager tells them (PL3).
final class NetworkManager: ConditionSource {
  private let manager = BusObject(
    BusAddress(
      service: "org.freedesktop.NetworkManager", path: "/org/freedesktop/NetworkManager",
      interface: "org.freedesktop.NetworkManager"))
  private var word = LastWord<Connectivity>()

  init(on bus: SystemBus, _ changed: @escaping () -> Void) {
    manager.changed = changed
    bus.follow(manager)
  }

  var isSettled: Bool { manager.isSettled }

  /// Its word counts over the routes': only it knows of portals and prices.
  func report(to findings: inout Findings) {
    guard let connectivity = connectivity(besides: findings) else { return }
    word.apply(
      Finding(value: connectivity, source: "NetworkManager", isStale: manager.isStale),
      to: &findings.connectivity)
  }

  /// Nil where it adds nothing to what others have found.
  private func connectivity(besides findings: Findings) -> Connectivity? {
    let isOnline: Bool
    switch manager.properties.integer("Connectivity") {
    // Nothing, a captive portal, a network that leads nowhere.
    case 1, 2, 3: return Connectivity.none
    case 4: isOnline = true
    // It doesn't check, or it isn't there; the routes say.
    default: isOnline = false
    }
    guard isOnline || findings.isConnected else { return nil }
    switch manager.properties.integer("Metered") {
    // Yes, and a guess that says so.
    case 1, 3: return .metered
    // No, and a guess that says so, which is what an ordinary cable gets.
    case 2, 4: return .unmetered
    default: return isOnline ? .connected : nil
    }
  }
}
