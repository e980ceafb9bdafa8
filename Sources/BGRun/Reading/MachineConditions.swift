import DeviceConditions
import JobModel
import LinuxSystem

/// This machine's conditions as a runner would see them, for when none is alive to say so.
enum MachineConditions {
  /// - Parameters:
  ///   - folder: the state folder, whose free space is known under "".
  ///   - paths: other paths whose free space jobs ask for.
  static func read(
    folder: String, paths: Set<String>, at now: WallInstant
  ) throws(CommandFailure) -> DeviceState {
    do {
      let observer = try DeviceObserver(
        stateDirectory: folder, loop: EventLoop(), clock: { now })
      observer.observeFreeSpace(paths)
      return observer.current
    } catch {
      throw .notDone("can't read this machine's conditions: \(error)")
    }
  }
}
