internal import LinuxSystem

/// The power supplies as the kernel's files tell them, followed by the kernel's announcements (PL2).
final class KernelPower: ConditionSource {
  private let root: SystemRoot
  private var state: PowerState
  private var hasChanged = false
  private var events: DeviceEventWatch?
  private var files: FolderWatch?

  let isSettled = true

  /// - Parameter root: one that isn't "/" holds ordinary files, whose changes are followed too.
  init(root: SystemRoot, loop: EventLoop, _ changed: @escaping () -> Void) throws(SystemError) {
    self.root = root
    state = PowerState(of: nil, in: PowerSupply.folder)
    let reread = { [unowned self] in
      hasChanged = true
      changed()
    }
    // A sandbox may have no such socket; then what is read at the start counts.
    events = try? DeviceEventWatch(of: "power_supply", on: loop, reread)
    if !root.isReal {
      files = try FolderWatch({ Self.folders(under: root) }, for: .folderContent, on: loop, reread)
    }
    state = read()
  }

  func report(to findings: inout Findings) {
    if hasChanged {
      hasChanged = false
      state = read()
    }
    findings.externalPower = Finding(
      value: state.isExternal, source: state.source, isAssumed: state.isAssumed)
    findings.batteryPercent = Finding(value: state.batteryPercent, source: state.batterySource)
  }

  private func read() -> PowerState {
    PowerState(of: PowerSupply.all(under: root), in: root.absolute(PowerSupply.folder))
  }

  private static func folders(under root: SystemRoot) -> [String] {
    let supplies = (root.entries(of: PowerSupply.folder) ?? []).map {
      "\(PowerSupply.folder)/\($0)"
    }
    return (["", "/sys", "/sys/class", PowerSupply.folder] + supplies).map(root.absolute)
  }
}
