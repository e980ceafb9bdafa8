import LinuxSystem

extension ManifestSources {
  /// The manifests in a folder and the folders inside it, sorted by path; names that begin with a
  /// dot are passed over.
  func files(in path: String) throws(CommandFailure) -> [String] {
    var found: [String] = []
    try collect(in: path, depth: 0, &found)
    return found.sorted()
  }

  private static let deepest = 32

  private func collect(
    in path: String, depth: Int, _ found: inout [String]
  ) throws(CommandFailure) {
    guard depth < Self.deepest else { return }
    let names: [String]
    do {
      names = try Files.list(context.absolutePath(path))
    } catch {
      throw .notDone("can't read the folder '\(path)': \(error.reason)")
    }
    for name in names where !name.hasPrefix(".") {
      let child = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
      if Files.isFolder(context.absolutePath(child)) {
        try collect(in: child, depth: depth + 1, &found)
      } else if name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
        found.append(child)
      }
    }
  }
}
