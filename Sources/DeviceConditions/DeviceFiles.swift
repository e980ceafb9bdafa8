/// What the files under a root say: power and graphics.
struct DeviceFiles {
  var power: PowerState
  /// The first render node; nil without one (CP7).
  var renderNode: String?

  static let renderNodes = "/dev/dri"

  init(under root: SystemRoot) {
    power = PowerState(of: PowerSupply.all(under: root), in: root.absolute(PowerSupply.folder))
    renderNode = root.entries(of: Self.renderNodes)?.first { $0.hasPrefix("renderD") }
      .map { root.absolute("\(Self.renderNodes)/\($0)") }
  }

  /// The folders whose content can change the answer, each after the one that holds it; those of
  /// the power supplies stand below them.
  static let folders = ["", "/sys", "/sys/class", PowerSupply.folder, "/dev", renderNodes]
}
