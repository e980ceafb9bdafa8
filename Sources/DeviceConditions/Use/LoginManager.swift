internal import JobModel
internal import LinuxSystem

/// What logind announces of the machine as a whole.
package enum MachineAnnouncement: Hashable, Sendable {
  /// It wakes from sleep; time has passed unseen.
  case resumed
  /// It will power off or restart, as soon as those who hold it back let it.
  case shuttingDown
}

/// Whether somebody uses the machine, and what becomes of it, as logind tells them.
final class LoginManager: ConditionSource {
  private static let address = BusAddress(
    service: "org.freedesktop.login1", path: "/org/freedesktop/login1",
    interface: "org.freedesktop.login1.Manager")

  /// Called for each announcement.
  var announced: (MachineAnnouncement) -> Void = { _ in }

  private let bus: SystemBus
  private let manager = BusObject(address)
  private var delay = Delay.none
  private var isDelayNeeded = false

  private enum Delay {
    case none
    case asked
    case held(InhibitorLock)
  }

  init(on bus: SystemBus, _ changed: @escaping () -> Void) {
    self.bus = bus
    manager.changed = { [unowned self] in
      // A lock that a service gave, it forgets when it ends.
      if !manager.isPresent { delay = .none }
      renewDelay()
      changed()
    }
    bus.follow(manager)
    bus.follow("PrepareForSleep", of: Self.address) { [unowned self] isBeginning in
      if !isBeginning { announced(.resumed) }
    }
    bus.follow("PrepareForShutdown", of: Self.address) { [unowned self] isBeginning in
      if isBeginning { announced(.shuttingDown) }
    }
  }

  var isSettled: Bool { manager.isSettled }

  func report(to findings: inout Findings) {
    guard let isIdle = manager.properties.bool("IdleHint") else { return }
    let since = manager.properties.integer("IdleSinceHint") ?? 0
    let activity: UserActivity =
      if !isIdle {
        .active
      } else if since > 0 {
        .idle(since: WallInstant(microseconds: since))
      } else {
        .unattended
      }
    findings.userActivity = Finding(value: activity, source: "logind", isStale: manager.isStale)
  }

  /// Holds the machine's shutdown back from now on, for as long as logind allows.
  func delayShutdown() {
    isDelayNeeded = true
    renewDelay()
  }

  private func renewDelay() {
    guard isDelayNeeded, manager.isPresent, case .none = delay else { return }
    delay = .asked
    bus.inhibit(what: "shutdown", why: "Jobs are warned before they end") { [unowned self] lock in
      guard case .asked = delay else { return }
      // Refused to this user, it is asked for again when logind has changed.
      delay = if let lock { .held(lock) } else { .none }
    }
  }
}
