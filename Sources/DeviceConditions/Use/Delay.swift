/// One delay of what logind does to the machine: asked for while it is wanted, and again when logind
/// comes back.
final class Delay {
  private enum State {
    case none
    case asked
    case held(InhibitorLock)
  }

  private let what: String
  private let why: String
  private let bus: SystemBus
  private var state = State.none
  private var isWanted = false

  /// - Parameter what: "sleep", "shutdown" or both with a colon between.
  init(of what: String, why: String, on bus: SystemBus) {
    self.what = what
    self.why = why
    self.bus = bus
  }

  /// - Parameter isPossible: whether logind is there.
  func want(_ isWanted: Bool, isPossible: Bool) {
    self.isWanted = isWanted
    if !isWanted, case .held = state { state = .none }
    renew(isPossible: isPossible)
  }

  func renew(isPossible: Bool) {
    // A lock that a service gave, it forgets when it ends.
    guard isPossible else { return state = .none }
    guard isWanted, case .none = state else { return }
    state = .asked
    bus.inhibit(what: what, why: why) { [weak self] lock in self?.take(lock) }
  }

  /// Refused to this user, it is asked for again when logind has changed; not wanted any more, the
  /// lock is released here.
  private func take(_ lock: InhibitorLock?) {
    guard case .asked = state else { return }
    state = if let lock, isWanted { .held(lock) } else { .none }
  }
}
