import LinuxSystem

/// Tells the runner what other processes do to its store: the kernel reports each write of the
/// write-ahead file, and the close of a lock when its owner ends.
///
/// A poke through a socket could be lost; these can't be.
final class StoreWatch {
  private var files: FileWatch?
  private var recheck: MonotonicTimer?

  /// - Parameters:
  ///   - changed: called after somebody wrote to the store, this process included.
  ///   - ownerGone: called after some owner's lock was closed.
  init(
    directory: String, loop: EventLoop, changed: @escaping () -> Void,
    ownerGone: @escaping () -> Void
  ) throws(SystemError) {
    let owners = "\(directory)/owners"
    // The close is reported a moment before the kernel drops the lock, so look once more.
    let recheck = try MonotonicTimer(on: loop, ownerGone)
    let files = try FileWatch(on: loop) { event in
      if event.isOverflow || event.path == owners {
        ownerGone()
        recheck.set(nanoseconds: Clocks.now().monotonic + 50_000_000)
      }
      if event.isOverflow || event.path != owners { changed() }
    }
    try files.add(owners, for: [.closedAfterWriting])
    try files.add("\(directory)/store.db-wal", for: [.modified])
    self.files = files
    self.recheck = recheck
  }
}
