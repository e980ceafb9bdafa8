package import LinuxSystem

/// Tells when a manifest was saved (PL12).
///
/// Editors write a file in many steps, so the reload waits for a short silence.
package final class ManifestWatch {
  private static let silence: Int64 = 200_000_000

  private var files: FileWatch?
  private var timer: MonotonicTimer?

  /// - Parameters:
  ///   - paths: files, whose folders are watched so that a save by renaming is seen, and folders.
  ///   - isOutdated: whether the manifests are others by now than those that are in force; asked
  ///     once, when every save from then on is seen.
  package init(
    paths: [String], loop: EventLoop, isOutdated: () -> Bool = { false },
    changed: @escaping () -> Void
  ) throws(SystemError) {
    let timer = try MonotonicTimer(on: loop, changed)
    var namesByFolder: [String: Set<String>] = [:]
    var wholeFolders: Set<String> = []
    for path in paths {
      if Files.isFolder(path) {
        wholeFolders.insert(path)
      } else {
        namesByFolder[Files.parent(of: path), default: []].insert(
          String(path.split(separator: "/").last ?? ""))
      }
    }
    let files = try FileWatch(on: loop) { event in
      let isManifest =
        wholeFolders.contains(event.path)
        ? event.name.hasSuffix(".yaml") || event.name.hasSuffix(".yml")
        : namesByFolder[event.path]?.contains(event.name) == true
      guard event.isOverflow || isManifest else { return }
      timer.set(nanoseconds: Clocks.now().monotonic + Self.silence)
    }
    for folder in wholeFolders.union(namesByFolder.keys) {
      try files.add(folder, for: .folderContent)
    }
    self.files = files
    self.timer = timer
    if isOutdated() { timer.set(nanoseconds: Clocks.now().monotonic + Self.silence) }
  }
}
