package import JobModel
package import LinuxSystem

/// Observes this machine's conditions and tells of each change (PL1–PL3).
///
/// Every source tells by an event that it has changed; nothing polls but free space, once a minute
/// and only while somebody asks for it. Everything happens on the loop's thread; changes found
/// together are told together, and a condition that flips without end is told at a bounded pace.
package final class DeviceObserver {
  /// What is known now.
  package private(set) var current: DeviceState

  /// Where the bus with the system's services is, unless DBUS_SYSTEM_BUS_ADDRESS says otherwise.
  package static let usualBusAddress = "unix:path=/run/dbus/system_bus_socket"

  /// Whether there is a GPU now, for who asks once (CP7).
  package static func hasGPU(in root: SystemRoot) -> Bool { Graphics.node(in: root) != nil }

  private let loop: EventLoop
  private let clock: () -> Now
  /// From the weakest to the strongest.
  private var sources: [any ConditionSource] = []
  private let bus: SystemBus?
  private var loginManager: LoginManager?
  private var freeSpace: FreeSpaceSampling?

  private var onChange: ((DeviceState) -> Void)?
  private var told: DeviceState
  private var isTellingSoon = false
  private var budget = ChangeBudget()
  private var heldBack: MonotonicTimer?

  /// Reads every condition but free space from the kernel's files, and begins to follow them all.
  ///
  /// - Parameters:
  ///   - root: the folder that holds the kernel's files.
  ///   - stateDirectory: the path whose free space is known under "".
  ///   - busAddress: the message bus with the system's services, as D-Bus writes it; nil: none.
  ///   - loop: the loop that carries every callback.
  ///   - clock: the clocks that stamp each reading.
  ///   - freeSpaceInterval: how often free space is sampled while it is asked for.
  /// - Throws: `SystemError` when the kernel gives no watch or timer.
  package init(
    root: SystemRoot = .real, stateDirectory: String, busAddress: String? = nil, loop: EventLoop,
    clock: @escaping () -> Now, freeSpaceInterval: Duration = .seconds(60)
  ) throws(SystemError) {
    self.loop = loop
    self.clock = clock
    current = .assumed(at: clock().wall)
    told = current
    bus = if let busAddress { try SystemBus(address: busAddress, loop: loop) } else { nil }

    let changed = { [unowned self] in tellSoon() }
    sources = [
      try KernelPower(root: root, loop: loop, changed),
      KernelRoutes(loop: loop, changed),
      try NetworkState(root: root, loop: loop, changed),
      try Graphics(root: root, loop: loop, changed),
    ]
    if let bus {
      let loginManager = LoginManager(on: bus, changed)
      self.loginManager = loginManager
      sources += [
        UPower(on: bus, changed), NetworkManager(on: bus, changed), loginManager,
        PowerProfiles(on: bus, changed),
      ]
      bus.connect()
    }
    sources.append(
      try ToldConditions(
        root: root, stateDirectory: stateDirectory, loop: loop, clock: clock, changed))
    heldBack = try MonotonicTimer(on: loop) { [unowned self] in tellSoon() }
    freeSpace = try FreeSpaceSampling(
      stateDirectory: stateDirectory, interval: freeSpaceInterval, loop: loop, changed)
    read()
    told = current
  }

  /// Turns the loop until every source has answered for the first time, at most for the limit, so
  /// that nothing is decided on what a service is about to correct (PL14).
  package func awaitFirstAnswers(atMost limit: Duration) throws(SystemError) {
    let deadline = clock().monotonic + limit
    while !sources.allSatisfy(\.isSettled) {
      let left = deadline - clock().monotonic
      guard left > .zero else { break }
      try loop.runOnce(waitingAtMost: left)
    }
    read()
    if onChange == nil { told = current }
  }

  /// From now on calls `onChange` whenever `current` differs from what was known at the start, or
  /// told last, and `announced` for what becomes of the machine as a whole.
  package func start(
    onChange: @escaping (DeviceState) -> Void,
    announced: @escaping (MachineAnnouncement) -> Void = { _ in }
  ) {
    self.onChange = onChange
    loginManager?.announced = announced
    tellSoon()
  }

  /// Holds the machine's shutdown back from now on, for as long as logind allows: who asks must end
  /// soon after `shuttingDown` is announced.
  package func delayShutdown() {
    loginManager?.delayShutdown()
  }

  /// Holds sleep and shutdown back, or lets them go, for as long as logind allows (BG9).
  package func delaySleep(_ isNeeded: Bool) {
    loginManager?.delaySleep(isNeeded)
  }

  /// Samples the free space of exactly these paths, "" being the state directory, at once and then
  /// every minute; an empty set ends the sampling.
  package func observeFreeSpace(_ paths: Set<String>) {
    freeSpace?.observe(paths)
    read()
    tellSoon()
  }

  private func read() {
    let now = clock().wall
    var findings = Findings()
    for source in sources { source.report(to: &findings) }
    current.externalPower.observe(findings.externalPower, or: true, at: now)
    current.batteryPercent.observe(findings.batteryPercent, or: nil, at: now)
    current.connectivity.observe(findings.connectivity, or: .connected, at: now)
    current.userActivity.observe(findings.userActivity, or: .unattended, at: now)
    current.isLowPowerMode.observe(findings.isLowPowerMode, or: false, at: now)
    current.hasGPU.observe(findings.hasGPU, or: false, at: now)
    freeSpace?.report(to: &current.freeSpace, at: now)
  }

  private func tellSoon() {
    guard !isTellingSoon else { return }
    isTellingSoon = true
    loop.soon { [weak self] in self?.tell() }
  }

  private func tell() {
    isTellingSoon = false
    guard let onChange else { return }
    if let later = budget.spend(at: clock().monotonic) {
      heldBack?.set(nanoseconds: later.nanoseconds)
      return
    }
    read()
    guard current != told else { return }
    told = current
    onChange(current)
  }
}
