internal import CLinux
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
    fileprivate init(kernel mask: UInt32) {
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

  var handler: (Event) -> Void
  private let inotify: Descriptor
  private var paths: [Int32: String] = [:]
  private var watch: Watch?
  private var buffer = [UInt8](repeating: 0, count: 16_384)

  package init(on loop: EventLoop, _ handler: @escaping (Event) -> Void) throws(SystemError) {
    self.handler = handler
    inotify = Descriptor(
      owning: try check(
        inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)), "inotify_init1"))
    watch = try loop.watch(inotify.number, for: .readable) { [unowned self] _ in drain() }
  }

  deinit {
    watch?.cancel()
  }

  /// Watches a path, which must exist; adding it again replaces what is watched for.
  package func add(_ path: String, for changes: Changes) throws(SystemError) {
    let number = try check(
      unsafe inotify_add_watch(inotify.number, path, changes.rawValue), "inotify_add_watch", path)
    paths[number] = path
  }

  /// Stops watching a path; one that isn't watched is not an error.
  package func remove(_ path: String) {
    guard let number = paths.first(where: { $0.value == path })?.key else { return }
    paths[number] = nil
    inotify_rm_watch(inotify.number, number)
  }

  /// Lets reports pile up; those of one file that are alike become one.
  package func pause() { watch?.pause() }

  /// Delivers what has piled up, and what comes.
  package func resume() { watch?.resume() }

  private func drain() {
    while case .bytes(let count)? = try? Descriptors.read(inotify.number, into: &buffer) {
      for event in decode(count) { handler(event) }
    }
  }

  private func decode(_ count: Int) -> [Event] {
    var events: [Event] = []
    let headerSize = MemoryLayout<inotify_event>.size
    unsafe buffer.withUnsafeBytes { bytes in
      var offset = 0
      while offset + headerSize <= count {
        let number = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)
        let mask = unsafe bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
        let length = unsafe Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
        let start = offset + headerSize
        let name = unsafe bytes[start..<min(count, start + length)].prefix { $0 != 0 }
        offset = start + length
        let isOverflow = mask & UInt32(IN_Q_OVERFLOW) != 0
        if let path = isOverflow ? "" : paths[number] {
          events.append(
            unsafe Event(
              path: path, name: String(decoding: name, as: UTF8.self),
              changes: Changes(kernel: mask), isOverflow: isOverflow))
        }
        if mask & UInt32(IN_IGNORED) != 0 { paths[number] = nil }
      }
    }
    // That a watch is gone is told by `selfGone`.
    return events.filter { $0.isOverflow || $0.changes.rawValue & UInt32(IN_IGNORED) == 0 }
  }
}
