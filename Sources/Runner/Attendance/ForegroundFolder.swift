package import JobModel
package import LinuxSystem

/// The folder in the state directory by which followers on a terminal tell that they are there: one
/// file each, which they hold, named after the run.
///
/// It needs no protocol and can't lie: a follower that ends in whatever way, SIGKILL and a closed
/// terminal included, lets go of its file, and the kernel tells whoever watches the folder.
package struct ForegroundFolder: Sendable {
  package let path: String

  package init(stateDirectory: String) {
    path = "\(stateDirectory)/foreground"
  }

  /// Makes the folder, for this user only.
  func make() throws(SystemError) { try Files.makeFolders(path) }

  /// Tells runners that a run is followed, for as long as the result is kept.
  ///
  /// - Parameter canAnswer: whether the follower can be asked something.
  package func enter(
    _ run: RunNumber, canAnswer: Bool
  ) throws(SystemError) -> HeldFile {
    try make()
    let nonce = String(UInt64.random(in: 0 ... .max), radix: 16)
    return try HeldFile(named: Mark(run: run, canAnswer: canAnswer).name + nonce, in: path)
  }

  /// What the names of the files say.
  struct Mark: Equatable {
    var run: RunNumber
    var canAnswer: Bool

    private static let answering = "answers"
    private static let watching = "watches"

    init(run: RunNumber, canAnswer: Bool) {
      self.run = run
      self.canAnswer = canAnswer
    }

    /// Nil for a name that no follower gives.
    init?(_ name: String) {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 3, let run = Int64(parts[0]) else { return nil }
      switch parts[1] {
      case Self.answering: canAnswer = true
      case Self.watching: canAnswer = false
      default: return nil
      }
      self.run = RunNumber(run)
    }

    /// Followed by something that nobody else has.
    var name: String { "\(run).\(canAnswer ? Self.answering : Self.watching)." }
  }
}
