import LinuxSystem

/// Tells the runner what other processes do to its store: the kernel reports what happens to the
/// write-ahead file, and the close of a lock when its owner ends.
///
/// A poke through a socket could be lost; these can't be.
final class StoreWatch {
  /// What is known of somebody's transaction.
  enum Sign {
    /// It can be read.
    case visible
    /// It has been written to, and has not been told of as visible for a while: it may be under way
    /// still, or its writer was killed at its last step.
    case silent
  }

  /// How long a writer may take from its first write until it tells of a visible transaction, before
  /// the runner looks by itself.
  private static let patience: Int64 = 20_000_000

  private let visible: FileWatch
  private let writes: FileWatch
  private let silence: MonotonicTimer
  private let owners: FileWatch
  private let recheck: MonotonicTimer
  /// Transactions of this process that are on their way.
  private var ownCommits = 0
  private var awaitsSilence = false

  /// - Parameters:
  ///   - changed: called after somebody wrote to the store, this process included.
  ///   - ownerGone: called after some owner's lock was closed.
  init(
    directory: String, loop: EventLoop, changed: @escaping (Sign) -> Void,
    ownerGone: @escaping () -> Void
  ) throws(SystemError) {
    // The close is reported a moment before the kernel drops the lock, so look once more.
    let recheck = try MonotonicTimer(on: loop, ownerGone)
    self.recheck = recheck
    owners = try FileWatch(on: loop) { _ in
      ownerGone()
      recheck.set(nanoseconds: Clocks.now().monotonic + 50_000_000)
    }
    try owners.add("\(directory)/owners", for: [.closedAfterWriting])
    let writeAheadFile = "\(directory)/store.db-wal"
    visible = try FileWatch(on: loop, isPausable: true) { _ in changed(.visible) }
    try visible.add(writeAheadFile, for: [.attributes])
    var written: () -> Void = {}
    var isSilent: () -> Void = {}
    writes = try FileWatch(on: loop, isPausable: true) { _ in written() }
    try writes.add(writeAheadFile, for: [.modified])
    silence = try MonotonicTimer(on: loop) { isSilent() }
    written = { [unowned self] in awaitSilence() }
    isSilent = { [unowned self] in
      awaitsSilence = false
      listen()
      changed(.silent)
    }
  }

  /// A transaction of this process begins: its writes, some twenty, wake nobody one by one.
  func ownCommitBegins() {
    ownCommits += 1
    guard ownCommits == 1 else { return }
    visible.pause()
    writes.pause()
  }

  /// It is over: what others have written meanwhile is told together with it.
  func ownCommitEnded() {
    ownCommits -= 1
    listen()
  }

  /// Somebody's transaction has begun: its other writes wake nobody.
  private func awaitSilence() {
    guard !awaitsSilence else { return }
    awaitsSilence = true
    writes.pause()
    silence.set(nanoseconds: Clocks.now().monotonic + Self.patience)
  }

  private func listen() {
    guard ownCommits == 0 else { return }
    visible.resume()
    if !awaitsSilence { writes.resume() }
  }
}
