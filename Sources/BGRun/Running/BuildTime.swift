import JobModel
import LinuxSystem

extension Program {
  /// When this program's file was made: a clock that reads less is wrong (PL15).
  ///
  /// It is the file's own time, because a date taken while compiling would make builds differ. Where
  /// it can't be read, no clock is doubted for it.
  static var builtAt: WallInstant {
    let file = (try? Files.status("/proc/self/exe")) ?? nil
    return WallInstant(microseconds: (file?.modified ?? 0) / 1000)
  }
}
