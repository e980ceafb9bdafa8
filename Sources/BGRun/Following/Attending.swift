import JobModel
import LinuxSystem
import Runner

/// This follower's sign to runners that a person watches a run here (CP3, CP9).
///
/// It is gone with this object or this process, whatever ends that.
final class Attending {
  private let folder: ForegroundFolder
  private var sign: (run: RunNumber, canAnswer: Bool, file: HeldFile)?

  init(stateDirectory: String) {
    folder = ForegroundFolder(stateDirectory: stateDirectory)
  }

  /// Watches this run and no other.
  ///
  /// A state directory in which no sign can be made is followed all the same: the run is treated as
  /// one that nobody watches.
  func watch(_ run: RunNumber, canAnswer: Bool) {
    if let sign, sign.run == run, sign.canAnswer == canAnswer { return }
    // The new one comes before the old one goes: nobody sees a moment without.
    sign = (try? folder.enter(run, canAnswer: canAnswer)).map { (run, canAnswer, $0) }
  }

  /// Watches nothing.
  func cease() { sign = nil }
}
