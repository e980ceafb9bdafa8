package import LinuxSystem

/// Tells when a manifest was saved (PL12).
///
/// Editors write a file in many steps, so the reload waits for a short silence.
package final class ManifestWatch {
  private static let silence: Int64 = 200_000_000

  private var namesByFolder: [String: Set<String>] = [:]
  private var folders: ManifestFolders?
  private var files: FileWatch?
  private let timer: MonotonicTimer

  /// - Parameters:
  ///   - paths: files, whose folders are watched so that a save by renaming is seen, and folders,
  ///     with those below them.
  ///   - isOutdated: whether the manifests are others by now than those that are in force; asked
  ///     once, when every save from then on is seen.
  package init(
    paths: [String], loop: EventLoop, isOutdated: () -> Bool = { false },
    changed: @escaping () -> Void
  ) throws(SystemError) {
    timer = try MonotonicTimer(on: loop, changed)
    let files = try FileWatch(on: loop) { [unowned self] event in take(event) }
    self.files = files
    var folders = ManifestFolders(files)
    for path in paths {
      if Files.isFolder(path) {
        try folders.add(path)
      } else {
        namesByFolder[Files.parent(of: path), default: []].insert(Files.name(of: path))
      }
    }
    for folder in namesByFolder.keys { try files.add(folder, for: .folderContent) }
    self.folders = folders
    if isOutdated() { changeSoon() }
  }

  private func take(_ event: FileWatch.Event) {
    let isManifest = folders?.take(event) ?? false
    if event.isOverflow { folders?.catchUp() }
    if isManifest || event.isOverflow || namesByFolder[event.path]?.contains(event.name) == true {
      changeSoon()
    }
  }

  private func changeSoon() {
    timer.set(nanoseconds: Clocks.now().monotonic + Self.silence)
  }
}
