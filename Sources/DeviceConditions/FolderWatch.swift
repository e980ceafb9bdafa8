internal import Glibc
internal import LinuxSystem

/// Tells of changes in folders that may come and go, each listed after the one that holds it.
final class FolderWatch {
  private let folders: () -> [String]
  private let changes: FileWatch.Changes
  private var files: FileWatch?

  /// - Parameters:
  ///   - folders: absolute paths, asked for anew after each change.
  ///   - changes: what of a folder is told.
  ///   - concerns: whether an entry of a folder matters, by its path.
  init(
    _ folders: @escaping () -> [String], for changes: FileWatch.Changes, on loop: EventLoop,
    concerns: @escaping (String) -> Bool = { _ in true }, _ changed: @escaping () -> Void
  ) throws(SystemError) {
    self.folders = folders
    self.changes = changes.union(.selfGone)
    files = try FileWatch(on: loop) { [unowned self] event in
      let isFolder = event.name.isEmpty
      guard event.isOverflow || isFolder || concerns("\(event.path)/\(event.name)") else { return }
      // Folders first: what appears after this is told, what appeared before is read.
      if event.isOverflow || !event.changes.isDisjoint(with: [.created, .movedIn, .selfGone]) {
        try? addFolders()
      }
      changed()
    }
    try addFolders()
  }

  /// Watches every folder that is there; one that isn't is seen to come by the watch on the folder
  /// above it.
  private func addFolders() throws(SystemError) {
    for folder in folders() {
      do {
        try files?.add(folder, for: changes)
      } catch {
        if error.code != ENOENT && error.code != ENOTDIR { throw error }
      }
    }
  }
}
