import JobManifest
import JobModel
import LinuxSystem

/// `files.prune`: removes files below a folder that are old or large, but keeps the newest.
///
/// Regular files only: links are neither followed nor removed, and what is outside of the folder or
/// on another file system stays as it is. Folders that this empties are removed too.
@BlockingWork
struct FilePruning {
  nonisolated static func register(in app: HandlerRegistry) {
    app.handle(guide.name, parameters: Parameters.self) { @BlockingWork context in
      var pruning = FilePruning(context)
      try pruning.perform()
    }
  }

  nonisolated static let guide = HandlerGuide(
    name: "files.prune",
    meaning:
      "Removes regular files below the folder path, and the folders that this empties: those that "
      + "nothing has written for olderThan (a duration), those largerThan (a size), or with both "
      + "given those that are both; the newest files stay, as many as keep says. dryRun: true names "
      + "them only. Links are neither followed nor removed.",
    example: """
      kind: processing
      handler: files.prune
      with: {path: cache, olderThan: 30d, keep: 10}
      """)

  /// The manifest's `with`.
  struct Parameters: Decodable, NamesPlaces, Sendable {
    static let places = [NamedPlace("path", .folder)]

    let path: ManifestPath
    /// Since a file was last written.
    let olderThan: Duration?
    /// In bytes. With both conditions given, a file must meet both.
    let largerThan: Int64?
    /// How many of the newest files are kept, whatever else holds.
    let keep: Int
    /// Whether files are only named.
    let dryRun: Bool

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case path, olderThan, largerThan, keep, dryRun
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(strictlyKeyedBy: CodingKeys.self)
      path = try container.decode(ManifestPath.self, forKey: .path)
      olderThan = try container.durationIfPresent(forKey: .olderThan)
      largerThan = try container.sizeIfPresent(forKey: .largerThan)
      let keep = try container.decodeIfPresent(Int.self, forKey: .keep)
      dryRun = try container.decodeIfPresent(Bool.self, forKey: .dryRun) ?? false
      if let keep, keep < 0 {
        throw DecodingError.dataCorruptedError(
          forKey: .keep, in: container, debugDescription: "a number of files can't be negative")
      }
      // Without a condition, all files would be meant, which nobody should say by leaving out.
      if olderThan == nil, largerThan == nil, keep == nil {
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: decoder.codingPath,
            debugDescription: "one of olderThan, largerThan and keep has to say which files"))
      }
      self.keep = keep ?? 0
    }
  }

  private let context: HandlerContext<Parameters>
  private let path: String
  private var problems = 0

  private init(_ context: HandlerContext<Parameters>) {
    self.context = context
    path = context.parameters.path.resolved(from: context.manifestFolder)
  }

  private mutating func perform() throws {
    let tree: FolderTree
    do throws(SystemError) {
      tree = try FolderTree(path)
    } catch {
      throw BuiltInFailure(description: "cannot prune \(path): \(error.reason)")
    }
    let files = chosen(of: try files(in: tree))
    var bytes: Int64 = 0
    var removed = 0
    for (number, file) in files.enumerated() {
      try Task.checkCancellation()
      if try remove(file, from: tree) {
        removed += 1
        bytes += file.size
      }
      context.progress.update(completed: number + 1, of: files.count)
    }
    let verb = context.parameters.dryRun ? "would remove" : "removed"
    print("\(verb) \(removed) \(removed == 1 ? "file" : "files") of \(bytes) bytes")
    guard problems == 0 else {
      throw BuiltInFailure(
        description: "\(problems) \(problems == 1 ? "place" : "places") below \(path) could not be "
          + "read or changed; the log names them")
    }
  }

  /// Every file of the tree; what can't be read is reported and passed over.
  private mutating func files(in tree: borrowing FolderTree) throws -> [FolderTree.File] {
    var files: [FolderTree.File] = []
    var folders = [FolderTree.Place.top]
    while let folder = folders.popLast() {
      try Task.checkCancellation()
      do throws(SystemError) {
        let content = try tree.content(of: folder)
        files += content.files
        folders += content.folders
      } catch {
        report(error)
      }
    }
    return files
  }

  /// The files that the parameters mean, the oldest first: a run that is ended early has removed
  /// what is missed least.
  private func chosen(of files: [FolderTree.File]) -> [FolderTree.File] {
    let parameters = context.parameters
    // Files of the same instant are told apart by name, so that a dry run names what a run removes.
    let oldestFirst = files.sorted {
      ($0.modified, $1.place.description) < ($1.modified, $0.place.description)
    }
    let latest = parameters.olderThan.map { age in
      WallInstant(microseconds: Clocks.now().wall / 1000) - age
    }
    return oldestFirst.dropLast(parameters.keep).filter { file in
      if let latest, WallInstant(microseconds: file.modified / 1000) >= latest { return false }
      if let limit = parameters.largerThan, file.size <= limit { return false }
      return true
    }
  }

  /// Removes a file, and the folders that this empties, or only names it.
  private mutating func remove(
    _ file: FolderTree.File, from tree: borrowing FolderTree
  ) throws -> Bool {
    if context.parameters.dryRun {
      print("would remove \(file.place)")
      return true
    }
    do throws(SystemError) {
      guard try tree.remove(file) else { return false }
      print("removed \(file.place)")
      var folder = file.place.parent
      while let emptied = folder, try tree.removeIfEmpty(emptied) {
        print("removed \(emptied)/")
        folder = emptied.parent
      }
      return true
    } catch {
      report(error)
      return false
    }
  }

  private mutating func report(_ error: SystemError) {
    problems += 1
    context.logger.warning("\(error)")
  }
}
