import LinuxSystem

/// Folders of which every manifest counts, with the folders below them as those come and go.
///
/// Links to folders aren't followed: what is behind one is noticed at the next change or SIGHUP.
struct ManifestFolders {
  /// How deep folders may stand in each other, as where manifests are looked for.
  private static let deepest = 64
  /// Manifests are few; a checkout with everything that its tools brought along isn't.
  private static let mostFolders = 4096

  private let files: FileWatch
  /// The watched folders, and how deep each stands.
  private var depths: [String: Int] = [:]

  init(_ files: FileWatch) {
    self.files = files
  }

  mutating func add(_ path: String) throws(SystemError) {
    try files.add(path, for: .folderContent)
    depths[path] = 0
    _ = addContent(of: path, depth: 0)
  }

  /// Follows a change of the folders.
  ///
  /// - Returns: whether it may have made the manifests others.
  mutating func take(_ event: FileWatch.Event) -> Bool {
    guard let depth = depths[event.path], !event.name.isEmpty else { return false }
    if Self.isManifest(event.name) { return true }
    let path = "\(event.path)/\(event.name)"
    // A folder that went took its manifests along, and another one may have its name.
    let isKnown = forget(path)
    return addFolder(path, depth: depth + 1) || isKnown
  }

  /// Finds the folders whose changes the kernel could not tell.
  mutating func catchUp() {
    for (path, depth) in depths { _ = addContent(of: path, depth: depth) }
  }

  /// - Returns: whether there is a manifest in it or below; nothing of what isn't a folder.
  private mutating func addFolder(_ path: String, depth: Int) -> Bool {
    guard depth < Self.deepest, depths.count < Self.mostFolders, Files.name(of: path) != ".git",
      let status = try? Files.status(path, followingLinks: false), status.kind == .folder,
      // Where the kernel gives no more watches, those of the folders above still serve.
      (try? files.add(path, for: .folderContent)) != nil
    else { return false }
    depths[path] = depth
    return addContent(of: path, depth: depth)
  }

  private mutating func addContent(of path: String, depth: Int) -> Bool {
    var holdsManifest = false
    for name in (try? Files.list(path)) ?? [] {
      if Self.isManifest(name) || addFolder("\(path)/\(name)", depth: depth + 1) {
        holdsManifest = true
      }
    }
    return holdsManifest
  }

  /// - Returns: whether it was one of the folders.
  private mutating func forget(_ path: String) -> Bool {
    guard depths[path] != nil else { return false }
    for known in depths.keys where known == path || known.hasPrefix(path + "/") {
      files.remove(known)
      depths[known] = nil
    }
    return true
  }

  private static func isManifest(_ name: String) -> Bool {
    name.hasSuffix(".yaml") || name.hasSuffix(".yml")
  }
}
