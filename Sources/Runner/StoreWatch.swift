import LinuxSystem

/// Tells the runner what other processes do to its store: the kernel reports each write of the
/// write-ahead file, and the close of a lock when its owner ends.
///
/// A poke through a socket could be lost; these can't be.
final class StoreWatch {
  private let writes: FileWatch
  private let owners: FileWatch
  private let recheck: MonotonicTimer
  /// Transactions of this process that are on their way.
  private var ownCommits = 0

  /// - Parameters:
  ///   - changed: called after somebody wrote to the store, this process included.
  ///   - ownerGone: called after some owner's lock was closed.
  init(
    directory: String, loop: EventLoop, changed: @escaping () -> Void,
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
    writes = try FileWatch(on: loop) { _ in changed() }
    try writes.add("\(directory)/store.db-wal", for: [.modified])
  }

  /// A transaction of this process begins: its writes, some twenty, wake nobody one by one.
  func ownCommitBegins() {
    ownCommits += 1
    if ownCommits == 1 { writes.pause() }
  }

  /// It is over: what others have written meanwhile is told together with it.
  func ownCommitEnded() {
    ownCommits -= 1
    if ownCommits == 0 { writes.resume() }
  }
}
