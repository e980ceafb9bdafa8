internal import Glibc
package import JobModel
package import LinuxSystem

/// Observes this machine's conditions and tells of each change (PL1–PL3).
///
/// Power and graphics are read from files: of the real root once, of an injected root at each
/// change. The network follows the kernel's routes. Free space is sampled, once a minute and only
/// while somebody asks for it. Idleness and low power mode have no source yet and are assumed.
/// Everything happens on the loop's thread; changes found together are told together.
package final class DeviceObserver {
  /// What is known now.
  package private(set) var current: DeviceState

  private let root: SystemRoot
  private let stateDirectory: String
  private let loop: EventLoop
  private let clock: () -> WallInstant
  private let freeSpaceInterval: Duration

  private var onChange: ((DeviceState) -> Void)?
  private var told: DeviceState
  private var isTellingSoon = false
  private var filesHaveChanged = false
  private var fileWatch: FileWatch?
  private var routes: RouteWatch?
  private var freeSpacePaths: Set<String> = []
  private var freeSpaceTimer: MonotonicTimer?

  /// Reads every condition but free space, and watches those that can be watched.
  ///
  /// - Parameters:
  ///   - root: the folder that holds the kernel's files; one that isn't "/" is watched.
  ///   - stateDirectory: the path whose free space is known under "".
  ///   - loop: the loop that carries every callback.
  ///   - clock: the wall clock that stamps each reading.
  ///   - freeSpaceInterval: how often free space is sampled while it is asked for.
  /// - Throws: `SystemError` when the kernel gives no watch, socket or timer.
  package init(
    root: SystemRoot = .real, stateDirectory: String, loop: EventLoop,
    clock: @escaping () -> WallInstant, freeSpaceInterval: Duration = .seconds(60)
  ) throws(SystemError) {
    self.root = root
    self.stateDirectory = stateDirectory
    self.loop = loop
    self.clock = clock
    self.freeSpaceInterval = freeSpaceInterval
    current = .assumed(at: clock())
    told = current

    if !root.isReal {
      fileWatch = try FileWatch(on: loop) { [unowned self] _ in
        filesHaveChanged = true
        tellSoon()
      }
      try watchFolders()
    }
    // Where the kernel gives no routes (a sandbox without netlink), connectivity stays assumed (PL1).
    routes = try? RouteWatch(on: loop) { [unowned self] state in
      take(state)
      tellSoon()
    }
    freeSpaceTimer = try MonotonicTimer(on: loop) { [unowned self] in
      sampleFreeSpace()
      tellSoon()
    }
    readFiles()
    if let routes { take(routes.state) }
    told = current
  }

  /// From now on calls `onChange` whenever `current` differs from what was known at the start, or
  /// told last.
  package func start(onChange: @escaping (DeviceState) -> Void) {
    self.onChange = onChange
    tellSoon()
  }

  /// Samples the free space of exactly these paths, "" being the state directory, at once and then
  /// every minute; an empty set ends the sampling.
  package func observeFreeSpace(_ paths: Set<String>) {
    freeSpacePaths = paths
    current.freeSpace = current.freeSpace.filter { paths.contains($0.key) }
    sampleFreeSpace()
    tellSoon()
  }

  private func readFiles() {
    let now = clock()
    let files = DeviceFiles(under: root)
    let power = files.power
    current.externalPower.observe(
      power.isExternal, from: power.source, at: now, isAssumed: power.isAssumed)
    current.batteryPercent.observe(power.batteryPercent, from: power.batterySource, at: now)
    current.hasGPU.observe(
      files.renderNode != nil,
      from: files.renderNode ?? root.absolute(DeviceFiles.renderNodes), at: now)
  }

  /// Whether a usable way out is metered has no source yet; it counts as unmetered (PL3).
  private func take(_ routes: DefaultRouteState) {
    current.connectivity.observe(routes.hasAny ? .unmetered : .none, from: "rtnetlink", at: clock())
  }

  /// Watches every folder that can change an answer. One that is watched already stays so; one that
  /// isn't there is seen by the watch on the folder above when it comes.
  private func watchFolders() throws(SystemError) {
    guard let fileWatch else { return }
    for folder in DeviceFiles.folders {
      try fileWatch.addIfPresent(root.absolute(folder))
    }
    // Listed after their folder is watched, so that none comes unseen in between.
    for supply in root.entries(of: PowerSupply.folder) ?? [] {
      try fileWatch.addIfPresent(root.absolute("\(PowerSupply.folder)/\(supply)"))
    }
  }

  private func sampleFreeSpace() {
    let now = clock()
    for path in freeSpacePaths {
      guard let (bytes, source) = FreeSpace.sample(path.isEmpty ? stateDirectory : path) else {
        current.freeSpace[path] = nil
        continue
      }
      current.freeSpace[path, default: Reading(bytes, source: source, since: now)]
        .observe(bytes, from: source, at: now)
    }
    let next = Clocks.now().monotonic + freeSpaceInterval.nanoseconds
    freeSpaceTimer?.set(nanoseconds: freeSpacePaths.isEmpty ? nil : next)
  }

  private func tellSoon() {
    guard !isTellingSoon else { return }
    isTellingSoon = true
    loop.soon { [weak self] in self?.tell() }
  }

  private func tell() {
    isTellingSoon = false
    if filesHaveChanged {
      filesHaveChanged = false
      // Folders first: what appears after this is reported, what appeared before is read. A new
      // folder beyond the kernel's limit of watches is still read whenever another one changes.
      try? watchFolders()
      readFiles()
    }
    guard let onChange, current != told else { return }
    told = current
    onChange(current)
  }
}

extension FileWatch {
  fileprivate func addIfPresent(_ folder: String) throws(SystemError) {
    do {
      try add(folder, for: .folderContent)
    } catch {
      if error.code != ENOENT && error.code != ENOTDIR { throw error }
    }
  }
}
