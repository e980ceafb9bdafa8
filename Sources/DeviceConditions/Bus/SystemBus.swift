internal import JobModel
internal import LinuxSystem

/// The system's message bus: it is connected to when it is there, and again, ever more patiently,
/// when it was lost. Where there is no bus or no libsystemd, nothing is followed and nothing wakes.
final class SystemBus {
  private let address: String
  private let loop: EventLoop
  private var objects: [BusObject] = []
  private var flags: [(member: String, address: BusAddress, handler: (Bool) -> Void)] = []
  private var inhibitorHandlers: [UInt64: (InhibitorLock?) -> Void] = [:]
  private var nextInhibitor: UInt64 = 0

  private var connection: BusConnection?
  private var retry: MonotonicTimer?
  private var patience = Patience()
  private var arrival: SocketArrival?
  private var isUsable = true

  init(address: String, loop: EventLoop) throws(SystemError) {
    self.address = address
    self.loop = loop
    retry = try MonotonicTimer(on: loop) { [unowned self] in connect() }
  }

  /// Follows an interface from the next connection on.
  func follow(_ object: BusObject) {
    objects.append(object)
  }

  /// Calls the handler at each signal `member`, which carries one boolean.
  func follow(_ member: String, of address: BusAddress, _ handler: @escaping (Bool) -> Void) {
    flags.append((member, address, handler))
  }

  /// Asks logind to delay what is named, "sleep" or "shutdown", until the lock is released; nil where
  /// nobody can.
  func inhibit(what: String, why: String, _ handler: @escaping (InhibitorLock?) -> Void) {
    guard let connection else { return handler(nil) }
    nextInhibitor += 1
    inhibitorHandlers[nextInhibitor] = handler
    connection.inhibit(what: what, who: "bgrun", why: why, token: nextInhibitor)
  }

  /// Connects as soon as that is possible.
  func connect() {
    guard isUsable, connection == nil else { return }
    if let socket = socketPath, (try? Files.status(socket)) ?? nil == nil {
      for object in objects { object.giveUp() }
      // Where nothing can be watched, there is no bus to come.
      arrival = try? SocketArrival(of: socket, on: loop) { [unowned self] in connect() }
      return
    }
    arrival = nil
    do {
      let connection = try BusConnection(address: address, loop: loop, listener: self)
      self.connection = connection
      for (index, object) in objects.enumerated() {
        connection.follow(object.address, token: UInt64(index))
      }
      for (index, flag) in flags.enumerated() {
        connection.followFlag(flag.member, of: flag.address, token: UInt64(index))
      }
    } catch .libraryMissing {
      isUsable = false
      for object in objects { object.giveUp() }
    } catch {
      disconnected()
    }
  }

  /// The socket in the file system; nil for an address of another kind.
  private var socketPath: String? {
    guard address.hasPrefix("unix:path="), !address.contains(";") else { return nil }
    return String(address.dropFirst("unix:path=".count).prefix { $0 != "," })
  }
}

extension SystemBus: BusListener {
  func took(_ value: BusValue, of property: String, token: UInt64) {
    objects[Int(token)].take(value, of: property)
  }

  func tookProperties(token: UInt64, hasAnswered: Bool, isPartial: Bool) {
    let object = objects[Int(token)]
    if hasAnswered { patience.reset() }
    object.takeAnswer(hasAnswered: hasAnswered)
    if isPartial { connection?.read(object.address, token: token) }
  }

  func ownerChanged(token: UInt64, hasOwner: Bool) {
    let object = objects[Int(token)]
    if hasOwner {
      connection?.read(object.address, token: token)
    } else {
      object.lose()
    }
  }

  func signalled(token: UInt64, _ flag: Bool) {
    flags[Int(token)].handler(flag)
  }

  func inhibited(token: UInt64, descriptor: Int32?) {
    // Owned from here on, also where nobody waits for it any more.
    let lock = descriptor.map(InhibitorLock.init)
    inhibitorHandlers.removeValue(forKey: token)?(lock)
  }

  func disconnected() {
    connection = nil
    for object in objects {
      object.giveUp()
      object.lose()
    }
    for handler in inhibitorHandlers.values { handler(nil) }
    inhibitorHandlers = [:]
    retry?.set(nanoseconds: Clocks.now().monotonic + patience.next().nanoseconds)
  }
}

/// Delays what it was asked for until it is released.
final class InhibitorLock {
  private let descriptor: Descriptor

  /// - Parameter number: a descriptor that nobody else closes.
  init(_ number: Int32) {
    descriptor = Descriptor(owning: number)
  }
}
