/// Low power mode, as the daemon of power profiles tells it.
final class PowerProfiles: ConditionSource {
  /// The name that it has now, then the one before.
  private let daemons = [
    BusObject(
      BusAddress(
        service: "org.freedesktop.UPower.PowerProfiles",
        path: "/org/freedesktop/UPower/PowerProfiles",
        interface: "org.freedesktop.UPower.PowerProfiles")),
    BusObject(
      BusAddress(
        service: "net.hadess.PowerProfiles", path: "/net/hadess/PowerProfiles",
        interface: "net.hadess.PowerProfiles")),
  ]

  init(on bus: SystemBus, _ changed: @escaping () -> Void) {
    for daemon in daemons {
      daemon.changed = changed
      bus.follow(daemon)
    }
  }

  var isSettled: Bool { daemons.allSatisfy(\.isSettled) }

  func report(to findings: inout Findings) {
    let known = daemons.filter { $0.properties.text("ActiveProfile") != nil }
    guard let daemon = known.first(where: \.isPresent) ?? known.first,
      let profile = daemon.properties.text("ActiveProfile")
    else { return }
    findings.isLowPowerMode = Finding(
      value: profile == "power-saver", source: "power-profiles-daemon", isStale: daemon.isStale)
  }
}
