import DeviceConditions
import JobModel
import LinuxSystem

/// This machine's conditions, as a runner and the commands see them.
package enum MachineConditions {
  /// How long the services on the bus may take to say what they know (PL14).
  private static let firstAnswerLimit = Duration.milliseconds(500)

  /// The folder that holds the kernel's files.
  static func root(in context: CommandContext) -> SystemRoot {
    SystemRoot(context.variable("BGRUN_DEVICE_ROOT") ?? "/")
  }

  /// Whether there is a GPU now (CP7).
  package static var hasGPU: Bool {
    let root = ProcessEnvironment.variables["BGRUN_DEVICE_ROOT"].flatMap { $0.isEmpty ? nil : $0 }
    return DeviceObserver.hasGPU(in: SystemRoot(root ?? "/"))
  }

  /// An observer that knows the machine.
  ///
  /// - Parameter folder: the state folder, whose free space is known under "".
  static func observer(
    folder: String, loop: EventLoop, in context: CommandContext
  ) throws(SystemError) -> DeviceObserver {
    let root = root(in: context)
    // A machine that is laid out in a folder has no services but those that it is given.
    let usualBus = root.isReal ? DeviceObserver.usualBusAddress : nil
    let observer = try DeviceObserver(
      root: root, stateDirectory: folder,
      busAddress: context.variable("DBUS_SYSTEM_BUS_ADDRESS") ?? usualBus, loop: loop,
      clock: context.now)
    try observer.awaitFirstAnswers(atMost: firstAnswerLimit)
    return observer
  }

  /// The conditions as they are now, for when no runner is alive to say so.
  ///
  /// - Parameters:
  ///   - folder: the state folder, whose free space is known under "".
  ///   - paths: other paths whose free space jobs ask for.
  static func read(
    folder: String, paths: Set<String>, in context: CommandContext
  ) throws(CommandFailure) -> DeviceState {
    do {
      let observer = try observer(folder: folder, loop: EventLoop(), in: context)
      observer.observeFreeSpace(paths)
      return observer.current
    } catch {
      throw .notDone("can't read this machine's conditions: \(error)")
    }
  }
}
