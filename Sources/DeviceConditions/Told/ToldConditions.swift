internal import JobModel
internal import LinuxSystem

/// What people and scripts tell in folders of small files: the strongest source, because somebody
/// meant it. The state directory's folder goes before the machine's.
final class ToldConditions: ConditionSource {
  /// From the weaker to the stronger.
  private let folders: [ToldFolder]
  private let clock: () -> Now
  private let changed: () -> Void
  private var told: [(folder: ToldFolder, conditions: [ToldCondition])] = []
  private var hasChanged = true
  private var files: FolderWatch?
  private var expiry: WallTimer?

  let isSettled = true

  init(
    root: SystemRoot, stateDirectory: String, loop: EventLoop, clock: @escaping () -> Now,
    _ changed: @escaping () -> Void
  ) throws(SystemError) {
    folders = [.ofMachine(under: root), .of(stateDirectory: stateDirectory)]
    self.clock = clock
    self.changed = changed
    let paths = folders.map(\.path)
    // The machine's folder may come later; that of the state directory is made by its runner, so that
    // the busy folder above it needn't be watched.
    let above = Files.parent(of: paths[0])
    let watched = [Files.parent(of: above), above] + paths
    files = try FolderWatch(
      { watched }, for: [.closedAfterWriting, .created, .movedIn, .deleted, .movedOut], on: loop,
      concerns: { path in path == above || paths.contains { path == $0 || path.hasPrefix($0 + "/") }
      }
    ) { [unowned self] in reread() }
    expiry = try WallTimer(
      on: loop, due: { [unowned self] in reread() }, stepped: { [unowned self] in reread() })
  }

  func report(to findings: inout Findings) {
    if hasChanged {
      hasChanged = false
      told = folders.map { ($0, $0.read().told) }
    }
    let now = clock().wall
    var next: WallInstant?
    for (folder, conditions) in told {
      for condition in conditions {
        if let until = condition.until {
          guard until > now else { continue }
          next = min(next ?? until, until)
        }
        condition.report(to: &findings, from: folder.path)
      }
    }
    expiry?.set(nanoseconds: next.map { $0.microseconds.multipliedSaturating(by: 1000) })
  }

  private func reread() {
    hasChanged = true
    changed()
  }
}

extension ToldCondition {
  fileprivate func report(to findings: inout Findings, from folder: String) {
    func source(_ name: String) -> String {
      "told in \(folder)/\(name)" + (until.map { " until \(RFC3339.format($0))" } ?? "")
    }
    switch value {
    case .requiresExternalPower(let value):
      findings.externalPower = Finding(value: value, source: source("requiresExternalPower"))
    case .network(let value):
      findings.connectivity = Finding(value: value, source: source("network"))
    case .requiresIdle(let value):
      findings.userActivity = Finding(value: value, source: source("requiresIdle"))
    case .minimumBattery(let percent):
      findings.batteryPercent = Finding(value: percent, source: source("minimumBattery"))
    case .lowPowerMode(let value):
      findings.isLowPowerMode = Finding(value: value, source: source("lowPowerMode"))
    case .requiredResources(let hasGPU):
      findings.hasGPU = Finding(value: hasGPU, source: source("requiredResources"))
    }
  }
}

extension Int64 {
  fileprivate func multipliedSaturating(by factor: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? .max : product
  }
}
