/// Whether the machine is on external power, and its charge, as its supplies say (PL2).
struct PowerState: Equatable {
  var isExternal: Bool
  /// Whether no supply says, so that mains is assumed.
  var isAssumed: Bool
  /// The supply, or the folder, that decided.
  var source: String
  /// Percent of all batteries together; nil without a battery that says.
  var batteryPercent: Int?
  var batterySource: String

  /// - Parameter supplies: nil when the kernel has no folder of supplies.
  /// - Parameter folder: the path of that folder, named as the source when no supply decides.
  init(of supplies: [PowerSupply]?, in folder: String) {
    var external: [(source: String, isOnline: Bool)] = []
    var batteries: [(source: String, battery: Battery)] = []
    for supply in supplies ?? [] {
      switch supply.role {
      case .external(let isOnline): if let isOnline { external.append((supply.source, isOnline)) }
      case .battery(let battery): batteries.append((supply.source, battery))
      }
    }

    batteryPercent = Self.percent(of: batteries.map(\.battery))
    batterySource = batteries.isEmpty ? folder : batteries.map(\.source).joined(separator: ", ")

    if let online = external.first(where: \.isOnline) {
      (isExternal, isAssumed, source) = (true, false, online.source)
    } else if batteries.isEmpty {
      (isExternal, isAssumed, source) = (true, supplies == nil, folder)
    } else if let offline = external.first {
      (isExternal, isAssumed, source) = (false, false, offline.source)
    } else if let known = batteries.first(where: { $0.battery.flow == .discharging }) {
      (isExternal, isAssumed, source) = (false, false, known.source)
    } else if let known = batteries.first(where: { $0.battery.flow == .powered }) {
      (isExternal, isAssumed, source) = (true, false, known.source)
    } else {
      (isExternal, isAssumed, source) = (true, true, batterySource)
    }
  }

  /// Energy now over energy when full, over all batteries; where one of several doesn't tell its
  /// energy, the mean of their percentages.
  private static func percent(of batteries: [Battery]) -> Int? {
    if batteries.count == 1, let capacity = batteries[0].capacity { return capacity }
    let energies = batteries.compactMap(\.energy)
    if !energies.isEmpty, energies.count == batteries.count {
      let now = energies.reduce(0) { $0 + $1.now }
      let full = energies.reduce(0) { $0 + $1.full }
      return Int(max(0, min(100, (100 * now / full).rounded())))
    }
    let capacities = batteries.compactMap(\.capacity)
    return capacities.isEmpty ? nil : capacities.reduce(0, +) / capacities.count
  }
}
