import JobManifest
import LinuxSystem

/// The manifests at a PATH, with their bytes.
struct ManifestSources {
  let context: CommandContext

  init(_ context: CommandContext) {
    self.context = context
  }

  /// - Parameters:
  ///   - path: a file, a folder, or `-` for standard input.
  ///   - inputName: what standard input is called; it then also lends its folder.
  /// - Throws: a sentence that names what is missing, empty or can't be read.
  func sources(
    at path: String, inputName: String?
  ) throws(CommandFailure) -> [ManifestSource] {
    if path == "-" { return [try input(named: inputName)] }
    let paths = try files(at: path)
    let absolute = paths.map(context.absolutePath)
    var sources: [ManifestSource] = []
    sources.reserveCapacity(paths.count)
    for (number, content) in Files.read(absolute).enumerated() {
      do {
        sources.append(
          ManifestSource(
            path: paths[number], folder: Files.parent(of: absolute[number]),
            bytes: try content.get()))
      } catch {
        throw .notDone("can't read '\(paths[number])': \(error.reason)")
      }
    }
    return sources
  }

  /// The files of a path, named as the user named the path.
  func files(at path: String) throws(CommandFailure) -> [String] {
    let absolute = context.absolutePath(path)
    do {
      let files = try ManifestFiles.find(paths: [absolute])
      if path == absolute { return files }
      return files.map { path + Substring($0.utf8.dropFirst(absolute.utf8.count)) }
    } catch {
      switch error {
      case .missing: throw .notDone("there is no file or folder '\(path)'")
      case .noMatch:
        throw .notDone(
          "the folder '\(path)' holds no manifest",
          advice: "Manifests are files whose names end in .yaml or .yml.")
      case .unreadable(_, let reason): throw .notDone("can't read '\(path)': \(reason)")
      }
    }
  }

  private func input(named name: String?) throws(CommandFailure) -> ManifestSource {
    let bytes = try context.input.readAll()
    guard !bytes.isEmpty else {
      throw .notDone("the standard input is empty: there is nothing to check")
    }
    let folder = name.map { Files.parent(of: context.absolutePath($0)) } ?? context.currentFolder
    return ManifestSource(path: name ?? "<stdin>", folder: folder, bytes: bytes)
  }
}
