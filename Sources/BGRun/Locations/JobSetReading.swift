import JobManifest
import JobModel
import LinuxSystem
import Runner
import YAMLSource

/// Reads manifests for commands: from files, from standard input, and from what a store keeps.
struct JobSetReading {
  private let context: CommandContext
  let loader: ManifestLoader

  /// - Parameters:
  ///   - handlers: the program's own, where manifests are checked against them.
  ///   - looksForPlaces: whether what parameters name has to be there already. A runner may start
  ///     before a disk is mounted, and each run of a handler looks itself.
  init(
    _ context: CommandContext, handlers: HandlerRegistry? = nil, looksForPlaces: Bool = false
  ) {
    self.context = context
    loader = ManifestLoader(
      environment: .machine(context, handlers: handlers, looksForPlaces: looksForPlaces))
  }

  /// The job set of manifests.
  ///
  /// - Throws: `findings` when they have errors, after showing them on standard error.
  func load(_ location: ManifestLocation) throws(CommandFailure) -> LoadedSet {
    try load(sources(at: location))
  }

  /// The job set that a store's runner last ran.
  func load(_ stored: StoredJobSet) throws(CommandFailure) -> LoadedSet {
    let loaded = loader.load(
      sources: stored.sources.map {
        ManifestSource(path: $0.path, folder: $0.folder, bytes: Array($0.text.utf8))
      })
    guard loaded.jobSet != nil else {
      throw .notDone(
        "the job set that the store keeps has errors for this version of bgrun",
        advice: "Name its manifest with --manifest PATH.")
    }
    return loaded
  }

  /// The job set with its text, as a runner keeps it in the store.
  ///
  /// - Throws: `findings` when it has errors, after showing them on standard error.
  func loadForRunning(_ location: ManifestLocation) throws(CommandFailure) -> LoadedJobSet {
    var sources = try sources(at: location)
    if context.isSuperuser {
      for index in sources.indices {
        sources[index].writableByOthers = exposed(sources[index].path)
      }
    }
    let loaded = try load(sources)
    guard let jobSet = loaded.jobSet else { throw .findings }
    let stored = zip(sources, loaded.files).map { source, file in
      StoredJobSet.Source(
        path: context.absolutePath(source.path), folder: source.folder,
        text: String(decoding: file.text.bytes, as: UTF8.self))
    }
    return LoadedJobSet(
      jobSet: jobSet, stored: StoredJobSet(digest: jobSet.digest, sources: stored))
  }

  /// What tells the manifests at a place from what they are after another save.
  func stamp(of location: ManifestLocation) -> ManifestStamp {
    ManifestStamp(ManifestSources(context), of: location)
  }

  private func sources(
    at location: ManifestLocation
  ) throws(CommandFailure) -> [ManifestSource] {
    var sources: [ManifestSource] = []
    for path in location.paths {
      sources += try ManifestSources(context).sources(at: path, inputName: nil)
    }
    return sources
  }

  /// What others may write of a file and its folder; nothing in a folder like /tmp, in which the
  /// sticky bit keeps files apart.
  private func exposed(_ path: String) -> String? {
    let folder = Files.parent(of: path)
    if isWritableByOthers(path) { return path }
    return isWritableByOthers(folder) ? folder : nil
  }

  private func isWritableByOthers(_ path: String) -> Bool {
    guard let status = (try? Files.status(context.absolutePath(path))) ?? nil else { return false }
    let isShared = status.kind == .folder && status.permissions & 0o1000 != 0
    return status.permissions & 0o022 != 0 && !isShared
  }

  private func load(_ sources: [ManifestSource]) throws(CommandFailure) -> LoadedSet {
    let loaded = loader.load(sources: sources)
    guard loaded.jobSet == nil else { return loaded }
    let renderer = DiagnosticRenderer(loaded)
    let style = TextStyle(
      choice: nil, environment: context.environment, isTerminal: context.errors.isTerminal)
    context.errors.write(renderer.text(colour: style.isColored))
    context.errors.writeLine(renderer.summary)
    throw .findings
  }
}
