/// External power and charge as UPower tells them, preferred where it runs: it knows quirks of
/// batteries that the kernel's files don't show (PL2).
final class UPower: ConditionSource {
  private let daemon = BusObject(
    BusAddress(
      service: "org.freedesktop.UPower", path: "/org/freedesktop/UPower",
      interface: "org.freedesktop.UPower"))
  /// All batteries together, as a desktop shows them.
  private let display = BusObject(
    BusAddress(
      service: "org.freedesktop.UPower", path: "/org/freedesktop/UPower/devices/DisplayDevice",
      interface: "org.freedesktop.UPower.Device"))
  private var power = LastWord<Bool>()
  private var charge = LastWord<Int?>()

  /// UPower's kinds of devices that power the machine.
  private static let batteryKinds: ClosedRange<Int64> = 2...3
  /// From here on the charge runs out, even where a supply that is too weak is connected.
  private static let lowWarning: Int64 = 3

  init(on bus: SystemBus, _ changed: @escaping () -> Void) {
    for object in [daemon, display] {
      object.changed = changed
      bus.follow(object)
    }
  }

  var isSettled: Bool { daemon.isSettled && display.isSettled }

  func report(to findings: inout Findings) {
    if let isOnBattery = daemon.properties.bool("OnBattery") {
      let isLow = display.properties.integer("WarningLevel").map { $0 >= Self.lowWarning } ?? false
      power.apply(
        Finding(
          value: !isOnBattery && !isLow, source: isLow ? "UPower (WarningLevel)" : "UPower",
          isStale: daemon.isStale), to: &findings.externalPower)
    }
    guard let isThere = display.properties.bool("IsPresent"),
      let kind = display.properties.integer("Type")
    else { return }
    let percentage = display.properties.real("Percentage").flatMap { Int(exactly: $0.rounded()) }
    let charge = isThere && Self.batteryKinds.contains(kind) ? percentage : nil
    self.charge.apply(
      Finding(value: charge, source: "UPower", isStale: display.isStale),
      to: &findings.batteryPercent)
  }
}
