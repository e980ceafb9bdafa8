/// One entry of /sys/class/power_supply that powers the machine itself.
///
/// Entries with scope `Device` (the battery of a mouse or a headset) power something else.
struct PowerSupply {
  enum Role {
    /// Mains, USB or wireless power; nil while the kernel doesn't say whether it is online.
    case external(isOnline: Bool?)
    case battery(Battery)
  }

  /// The kernel's path of the entry, as `doctor` and `why` show it.
  let source: String
  let role: Role
}

struct Battery {
  enum Flow { case discharging, powered, unknown }

  let flow: Flow
  /// Percent, as the kernel gives it.
  let capacity: Int?
  /// Microwatt-hours now and when full.
  let energy: (now: Double, full: Double)?
}

extension PowerSupply {
  static let folder = "/sys/class/power_supply"

  /// The supplies of the machine under `root`; nil when the kernel has no such folder.
  static func all(under root: SystemRoot) -> [PowerSupply]? {
    root.entries(of: folder)?.compactMap { PowerSupply(named: $0, under: root) }
  }

  private init?(named name: String, under root: SystemRoot) {
    let path = "\(Self.folder)/\(name)"
    source = root.absolute(path)
    guard root.line(of: "\(path)/scope") != "Device" else { return nil }
    switch root.line(of: "\(path)/type") {
    case "Mains", "USB", "Wireless":
      // 2 is "online at a programmable voltage".
      role = .external(isOnline: root.number(of: "\(path)/online").map { $0 != 0 })
    case "Battery", "UPS":
      guard root.number(of: "\(path)/present") != 0 else { return nil }
      role = .battery(Battery(at: path, under: root))
    default:
      return nil
    }
  }
}

extension Battery {
  fileprivate init(at path: String, under root: SystemRoot) {
    switch root.line(of: "\(path)/status") {
    case "Discharging": flow = .discharging
    case "Charging", "Full", "Not charging": flow = .powered
    default: flow = .unknown
    }
    capacity = root.number(of: "\(path)/capacity").flatMap {
      (0...100).contains($0) ? Int($0) : nil
    }
    energy = Self.energy(at: path, under: root)
  }

  /// Energy as the kernel gives it, or charge times the battery's nominal voltage.
  private static func energy(
    at path: String, under root: SystemRoot
  ) -> (now: Double, full: Double)? {
    func number(_ attribute: String) -> Double? {
      root.number(of: "\(path)/\(attribute)").map { Double($0) }
    }
    if let now = number("energy_now"), let full = number("energy_full"), full > 0 {
      return (now, full)
    }
    guard let now = number("charge_now"), let full = number("charge_full"), full > 0,
      let microvolts = number("voltage_min_design"), microvolts > 0
    else { return nil }
    return (now * microvolts / 1e6, full * microvolts / 1e6)
  }
}
