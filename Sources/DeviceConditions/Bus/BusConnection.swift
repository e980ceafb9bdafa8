internal import CSystemd
internal import Glibc
internal import LinuxSystem

/// Hears what a connection tells; `token` is what was given when it was asked for.
protocol BusListener: AnyObject {
  func took(_ value: BusValue, of property: String, token: UInt64)
  /// The properties of one answer or signal are complete.
  ///
  /// - Parameters:
  ///   - hasAnswered: false when the service isn't there to answer.
  ///   - isPartial: whether more has changed than was handed over.
  func tookProperties(token: UInt64, hasAnswered: Bool, isPartial: Bool)
  func ownerChanged(token: UInt64, hasOwner: Bool)
  func signalled(token: UInt64, _ flag: Bool)
  /// An inhibitor was granted, as a descriptor that the listener owns, or refused.
  func inhibited(token: UInt64, descriptor: Int32?)
  /// The connection is gone and tells nothing more.
  func disconnected()
}

/// Owns one connection to a message bus and lets the loop drive it; nothing of it blocks.
@safe final class BusConnection {
  /// Why there is no connection.
  enum Failure: Error {
    /// libsystemd isn't installed.
    case libraryMissing
    case refused(code: Int32)
  }

  /// Nil once it is closed.
  private var bus: OpaquePointer?
  private let loop: EventLoop
  private unowned let listener: any BusListener
  private var watch: Watch?
  private var watched: (descriptor: Int32, interest: EventLoop.Interest)?
  private var timer: MonotonicTimer?

  /// Begins to connect; a failure later on is told as `disconnected`.
  ///
  /// - Parameter address: as D-Bus writes it, such as "unix:path=/run/dbus/system_bus_socket".
  init(address: String, loop: EventLoop, listener: any BusListener) throws(Failure) {
    self.loop = loop
    self.listener = listener
    do {
      timer = try MonotonicTimer(on: loop) { [unowned self] in process() }
    } catch {
      throw .refused(code: error.code)
    }
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    let code = unsafe bgrun_bus_open(address, Self.callbacks(context), &bus)
    if code == -ELIBACC { throw .libraryMissing }
    guard code >= 0 else { throw .refused(code: -code) }
    arm()
  }

  deinit {
    close()
  }

  /// Follows who owns a name and the properties of one of its interfaces, and reads them.
  func follow(_ address: BusAddress, token: UInt64) {
    unsafe call { bus in
      unsafe bgrun_bus_watch_owner(bus, token, address.service)
      unsafe bgrun_bus_watch_properties(
        bus, token, address.service, address.path, address.interface)
    }
    read(address, token: token)
  }

  /// Reads every property of an interface.
  func read(_ address: BusAddress, token: UInt64) {
    unsafe call { bus in
      unsafe bgrun_bus_read_properties(
        bus, token, address.service, address.path, address.interface)
    }
  }

  /// Follows a signal that carries one boolean.
  func followFlag(_ member: String, of address: BusAddress, token: UInt64) {
    unsafe call { bus in
      unsafe bgrun_bus_watch_flag(
        bus, token, address.service, address.path, address.interface, member)
    }
  }

  /// Asks logind to delay what is named: "sleep", "shutdown", or both with a colon between.
  func inhibit(what: String, who: String, why: String, token: UInt64) {
    unsafe call { bus in unsafe bgrun_bus_inhibit(bus, token, what, who, why) }
  }

  /// A call that fails, fails because the connection does, which the next round finds out.
  private func call(_ body: (OpaquePointer) -> Void) {
    guard let bus = unsafe bus else { return }
    unsafe body(bus)
    arm()
  }

  private func close() {
    watch?.cancel()
    watch = nil
    timer?.set(nanoseconds: nil)
    if let bus = unsafe bus { unsafe bgrun_bus_close(bus) }
    unsafe bus = nil
  }

  private func process() {
    guard let bus = unsafe bus else { return }
    if unsafe bgrun_bus_process(bus) < 0 {
      close()
      listener.disconnected()
    } else {
      arm()
    }
  }

  /// Lets the loop wait for what the connection waits for.
  private func arm() {
    guard let bus = unsafe bus else { return }
    let descriptor = unsafe bgrun_bus_descriptor(bus)
    let events = unsafe bgrun_bus_events(bus)
    var deadline = UInt64.max
    let code = unsafe bgrun_bus_timeout(bus, &deadline)
    guard descriptor >= 0, events >= 0, code >= 0 else {
      // The next round finds the connection gone.
      timer?.set(nanoseconds: 1)
      return
    }
    let nanoseconds = deadline.multipliedReportingOverflow(by: 1000)
    timer?.set(
      nanoseconds: nanoseconds.overflow ? nil : Int64(clamping: nanoseconds.partialValue))

    var interest: EventLoop.Interest = []
    if events & Int32(POLLIN) != 0 { interest.insert(.readable) }
    if events & Int32(POLLOUT) != 0 { interest.insert(.writable) }
    guard watched?.descriptor != descriptor || watched?.interest != interest else { return }
    watch?.cancel()
    watch = try? loop.watch(descriptor, for: interest) { [unowned self] _ in process() }
    watched = (descriptor, interest)
  }

  private static func callbacks(_ context: UnsafeMutableRawPointer) -> bgrun_bus_listener {
    unsafe bgrun_bus_listener(
      context: context,
      property: { context, token, name, value in
        guard let name = unsafe name, let value = unsafe BusValue(value) else { return }
        let property = unsafe String(cString: name)
        unsafe BusConnection.from(context).listener.took(value, of: property, token: token)
      },
      properties_end: { context, token, error, isPartial in
        unsafe BusConnection.from(context).listener.tookProperties(
          token: token, hasAnswered: error == 0, isPartial: isPartial)
      },
      owner: { context, token, hasOwner in
        unsafe BusConnection.from(context).listener.ownerChanged(token: token, hasOwner: hasOwner)
      },
      flag: { context, token, value in
        unsafe BusConnection.from(context).listener.signalled(token: token, value)
      },
      inhibitor: { context, token, descriptor in
        unsafe BusConnection.from(context).listener.inhibited(
          token: token, descriptor: descriptor >= 0 ? descriptor : nil)
      })
  }

  /// The connection that gave itself as the context: it outlives its callbacks, because closing it
  /// ends them.
  private static func from(_ context: UnsafeMutableRawPointer?) -> BusConnection {
    guard let context = unsafe context else {
      preconditionFailure("a callback without its context")
    }
    return unsafe Unmanaged<BusConnection>.fromOpaque(context).takeUnretainedValue()
  }
}

extension BusValue {
  fileprivate init?(_ value: bgrun_bus_value) {
    switch UInt8(bitPattern: unsafe value.type) {
    case UInt8(ascii: "b"): self = unsafe .bool(value.integer != 0)
    case UInt8(ascii: "d"): self = unsafe .real(value.real)
    case UInt8(ascii: "s"), UInt8(ascii: "o"):
      guard let text = unsafe value.text else { return nil }
      self = unsafe .text(String(cString: text))
    default: self = unsafe .integer(value.integer)
    }
  }
}
