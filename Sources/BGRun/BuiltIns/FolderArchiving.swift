import Archives
import JobManifest
import JobModel
import LinuxSystem

/// `files.archive`: writes a folder and what is below it into one archive.
///
/// Links are stored as links, and nothing outside of the folder or on another file system is read.
/// The archive gets its name only when it is complete and on the disk; whatever ends the run before,
/// an archive of that name stays as it was. At expiration the draft is removed (LC4).
@BlockingWork
struct FolderArchiving {
  nonisolated static func register(in app: HandlerRegistry) {
    app.handle(guide.name, parameters: Parameters.self) { @BlockingWork context in
      var archiving = FolderArchiving(context)
      try archiving.perform()
    }
  }

  nonisolated static let guide = HandlerGuide(
    name: "files.archive",
    meaning:
      "Writes the folder path and what is below it into the archive output, whose form follows from "
      + "how its name ends: "
      + ArchiveFormat.allCases.map(\.rawValue).joined(separator: ", ")
      + ". Links are stored as links, sockets and the like are left out and named. The archive "
      + "appears when it is complete and takes the place of an earlier one; a file that can't be read "
      + "fails the run. It needs the library libarchive, Debian's package libarchive13.",
    example: """
      kind: continuedProcessing
      title: Archiving photos
      handler: files.archive
      with: {path: photos, output: /srv/archives/photos.tar.zst}
      """)

  /// The manifest's `with`.
  struct Parameters: Decodable, NamesPlaces, Sendable {
    static let places = [NamedPlace("path", .folder), NamedPlace("output", .output)]

    let path: ManifestPath
    let output: ManifestPath
    /// By how `output` ends.
    let format: ArchiveFormat

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case path, output
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(strictlyKeyedBy: CodingKeys.self)
      path = try container.decode(ManifestPath.self, forKey: .path)
      output = try container.decode(ManifestPath.self, forKey: .output)
      guard let format = ArchiveFormat(ofFileNamed: output.name) else {
        let endings = ArchiveFormat.allCases.map(\.rawValue)
        throw DecodingError.dataCorruptedError(
          forKey: .output, in: container,
          debugDescription: "'\(output.name)' doesn't end as the name of an archive does: "
            + "\(endings.dropLast().joined(separator: ", ")) or \(endings.last ?? "")")
      }
      self.format = format
    }
  }

  /// The part of the progress that measuring has.
  private static let measured = 0.01

  private let context: HandlerContext<Parameters>
  private let path: String
  private let output: String
  private var problems = 0

  private init(_ context: HandlerContext<Parameters>) {
    self.context = context
    path = context.parameters.path.resolved(from: context.manifestFolder)
    output = context.parameters.output.resolved(from: context.manifestFolder)
  }

  private mutating func perform() throws {
    let tree: FolderTree
    do throws(SystemError) {
      tree = try FolderTree(path)
    } catch {
      throw BuiltInFailure(description: "cannot archive \(path): \(error.reason)")
    }
    // What is wrong with the output is said before a large folder is measured.
    var archive = try ArchiveComposition.begin(path, as: output, context.parameters.format)
    let total = try measure(tree)
    try fill(&archive, from: tree, total: total)
    print(try archive.complete())
    context.progress.update(fractionCompleted: 1)
  }

  /// How many bytes there are to read. A file that can't be read is found here, before much is
  /// written for nothing.
  private mutating func measure(_ tree: borrowing FolderTree) throws -> Int64 {
    var walk = FolderWalk()
    var shared = SharedFiles()
    let isOnce = context.parameters.format.keepsHardLinks
    var count = 0
    var bytes: Int64 = 0
    while let entry = try next(of: &walk, in: tree) {
      if entry.kind == .file, !isOnce || shared.earlierName(of: entry, named: []) == nil {
        bytes += entry.size
        do throws(SystemError) {
          try tree.checkIsReadable(entry)
        } catch {
          report(error)
        }
      }
      // How much there is isn't known yet; that the number grows shows that the run is alive.
      count += 1
      context.progress.update(
        fractionCompleted: Self.measured * Double(count) / Double(count + 1000))
    }
    try refuseIfUnreadable()
    context.progress.update(
      title: context.progress.title, subtitle: "Reading \(SizeText.approximate(bytes))")
    return bytes
  }

  private mutating func fill(
    _ archive: inout ArchiveComposition, from tree: borrowing FolderTree, total: Int64
  ) throws {
    let progress = context.progress
    var walk = FolderWalk()
    while let entry = try next(of: &walk, in: tree) {
      try archive.add(entry, from: tree) { bytes in
        let part = min(1, Double(bytes) / Double(max(1, total)))
        progress.update(fractionCompleted: Self.measured + (1 - Self.measured) * part)
      }
    }
    try refuseIfUnreadable()
  }

  /// The next place of the tree; what can't be read is reported and passed over.
  private mutating func next(
    of walk: inout FolderWalk, in tree: borrowing FolderTree
  ) throws -> FolderTree.Entry? {
    while true {
      try Task.checkCancellation()
      do throws(SystemError) {
        return try walk.next(in: tree)
      } catch {
        report(error)
      }
    }
  }

  private mutating func report(_ error: SystemError) {
    problems += 1
    context.logger.error("\(error)")
  }

  private func refuseIfUnreadable() throws {
    guard problems > 0 else { return }
    throw BuiltInFailure(
      description: "\(problems) \(problems == 1 ? "place" : "places") below \(path) can't be read, "
        + "so nothing was archived; the log names \(problems == 1 ? "it" : "them")")
  }
}
