internal import JobModel
internal import LinuxSystem

/// What logind announces of the machine as a whole.
package enum MachineAnnouncement: Hashable, Sendable {
  /// It will sleep, as soon as those who hold it back let it.
  case sleeping
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

  private let manager = BusObject(address)
  private let stop: Delay
  private let work: Delay

  init(on bus: SystemBus, _ changed: @escaping () -> Void) {
    stop = Delay(of: "shutdown", why: "Jobs are warned before they end", on: bus)
    work = Delay(of: "sleep:shutdown", why: "Programs finish work in the background", on: bus)
    manager.changed = { [unowned self] in
      for delay in [stop, work] { delay.renew(isPossible: manager.isPresent) }
      changed()
    }
    bus.follow(manager)
    bus.follow("PrepareForSleep", of: Self.address) { [unowned self] isBeginning in
      announced(isBeginning ? .sleeping : .resumed)
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
  func delayShutdown() { stop.want(true, isPossible: manager.isPresent) }

  /// Holds sleep and shutdown back, or lets them go (BG9).
  func delaySleep(_ isNeeded: Bool) { work.want(isNeeded, isPossible: manager.isPresent) }
}
