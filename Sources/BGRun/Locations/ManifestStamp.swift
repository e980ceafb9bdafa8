import LinuxSystem

/// What tells manifests from what they are after another save: which files they are, how long, and
/// when each was written. Nothing of them is read.
struct ManifestStamp: Equatable {
  private var files: [String: Files.Status] = [:]

  /// A path that can't be looked at has no files.
  init(_ sources: ManifestSources, of location: ManifestLocation) {
    for path in location.paths {
      for file in (try? sources.files(at: path)) ?? [] {
        files[file] = (try? Files.status(sources.context.absolutePath(file))) ?? nil
      }
    }
  }
}
