import LinuxSystem

/// The sockets that runs report to: as many as there have been runs at a time, each for one run at a
/// time.
///
/// Their addresses are abstract: nothing to remove after a crash, and no limit that a long
/// state directory could pass. Whoever sends is asked for at the kernel.
final class NotifySlots {
  /// One socket, lent to a run.
  final class Slot {
    fileprivate var socket: NotifySocket?
    fileprivate var handler: ((NotifyMessage, NotifySocket.Sender) -> Void)?

    /// What `NOTIFY_SOCKET` is set to.
    var address: String { socket?.address ?? "" }

    /// Handles what has already arrived.
    func receivePending() { socket?.receivePending() }
  }

  private let loop: EventLoop
  private let prefix: String
  private var count = 0
  private var free: [Slot] = []

  /// - Parameter name: distinguishes this host from every other one on the machine.
  init(name: String, on loop: EventLoop) {
    prefix = "@bgrun-\(name)-"
    self.loop = loop
  }

  /// Lends a socket to a run; every message to it is the handler's.
  func take(
    _ handler: @escaping (NotifyMessage, NotifySocket.Sender) -> Void
  ) throws(SystemError) -> Slot {
    let slot = if let last = free.popLast() { last } else { try makeSlot() }
    // Of the run before: its processes are gone, what they sent last may not be.
    slot.receivePending()
    slot.handler = handler
    return slot
  }

  /// Takes a socket back.
  func giveBack(_ slot: Slot) {
    slot.handler = nil
    free.append(slot)
  }

  private func makeSlot() throws(SystemError) -> Slot {
    let slot = Slot()
    slot.socket = try NotifySocket(at: "\(prefix)\(count)", on: loop) { [unowned slot] in
      slot.handler?($0, $1)
    }
    count += 1
    return slot
  }
}
