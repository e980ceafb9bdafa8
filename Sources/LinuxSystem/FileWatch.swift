internal import Glibc

/// Reports changes of files and folders (inotify).
package final class FileWatch {
  /// What happened, or what to watch for.
  package struct Changes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Bytes were written or the file was cut.
    package static let modified = Changes(rawValue: UInt32(IN_MODIFY))
    /// A descriptor that could write was closed.
    package static let closedAfterWriting = Changes(rawValue: UInt32(IN_CLOSE_WRITE))
    /// Something was made in the folder.
    package static let created = Changes(rawValue: UInt32(IN_CREATE))
    /// Something in the folder was removed.
    package static let deleted = Changes(rawValue: UInt32(IN_DELETE))
    /// A rename into the folder, as editors that save atomically do.
    package static let movedIn = Changes(rawValue: UInt32(IN_MOVED_TO))
    /// A rename out of the folder.
    package static let movedOut = Changes(rawValue: UInt32(IN_MOVED_FROM))
    /// The watched path itself was removed or renamed: watch it anew.
    package static let selfGone = Changes(rawValue: UInt32(IN_DELETE_SELF | IN_MOVE_SELF))
    /// Permissions, owner or link count changed.
    package static let attributes = Changes(rawValue: UInt32(IN_ATTRIB))

    /// Deleted and renamed are both `selfGone`: what is asked of the reader is the same.
    init(kernel mask: UInt32) {
      rawValue = mask
      if !isDisjoint(with: .selfGone) { insert(.selfGone) }
    }

    /// What makes the content of a folder different.
    package static let folderContent: Changes = [
      .closedAfterWriting, .created, .deleted, .movedIn, .movedOut, .selfGone,
    ]
  }

  /// One report.
  package struct Event: Hashable, Sendable {
    /// The path that was given to `add`; empty when `isOverflow`.
    package var path: String
    /// The name inside a watched folder; empty for the path itself.
    package var name: String
    package var changes: Changes
    /// Reports were lost: anything may have changed.
    package var isOverflow: Bool
  }

  let handler: (Event) -> Void
  private let inotify: Inotify
  private let isPausable: Bool

  /// - Parameter isPausable: whether the watch has reports of its own that can wait; the others of a
  ///   loop share theirs.
  package init(
    on loop: EventLoop, isPausable: Bool = false, _ handler: @escaping (Event) -> Void
  ) throws(SystemError) {
    self.handler = handler
    self.isPausable = isPausable
    inotify = try isPausable ? Inotify(on: loop) : loop.sharedInotify()
  }

  /// Watches end before their instance is closed: that waits for them, all at once.
  deinit {
    inotify.removeAll(from: self)
  }

  /// Watches a path, which must exist; adding it again replaces what is watched for.
  package func add(_ path: String, for changes: Changes) throws(SystemError) {
    try inotify.add(path, for: changes, to: self)
  }

  /// Stops watching a path; one that isn't watched is not an error.
  package func remove(_ path: String) {
    inotify.remove(path, from: self)
  }

  /// Lets reports pile up; those of one file that are alike become one. Only for a watch that was made
  /// pausable: others' reports would wait with its own.
  package func pause() {
    precondition(isPausable, "a watch that shares its reports isn't paused")
    inotify.pause()
  }

  /// Delivers what has piled up, and what comes.
  package func resume() {
    precondition(isPausable, "a watch that shares its reports isn't paused")
    inotify.resume()
  }
}
