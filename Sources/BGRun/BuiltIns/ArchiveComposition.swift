import Archives
import LinuxSystem

/// The archive of a folder while it is written: a draft, which takes its place when it is complete.
@BlockingWork
struct ArchiveComposition: ~Copyable {
  private let output: String
  /// The name of the folder, with which all names in the archive begin.
  private let root: [UInt8]
  private let format: ArchiveFormat
  private var draft: FileDraft
  private let writer: ArchiveWriter
  /// The draft and the archive whose place it takes.
  private let excluded: Set<UInt64>

  private var shared = SharedFiles()
  private var buffer = [UInt8](repeating: 0, count: Self.chunk)
  private var counts = Counts()

  private struct Counts {
    var files = 0
    var folders = 0
    var links = 0
    var omitted = 0
    var bytes: Int64 = 0
  }

  /// Short enough that a run is cancelled well within its grace, whatever the compression.
  private static let chunk = 256 << 10

  private init(
    output: String, root: String, _ format: ArchiveFormat, _ draft: consuming FileDraft,
    _ writer: consuming ArchiveWriter, former: Files.Status?
  ) {
    self.output = output
    self.root = Array(root.utf8)
    self.format = format
    excluded = Set([draft.inode] + (former.map { [$0.inode] } ?? []))
    self.draft = draft
    self.writer = writer
  }

  /// Begins the archive of the folder `path` at the path `output`.
  static func begin(
    _ path: String, as output: String, _ format: ArchiveFormat
  ) throws -> ArchiveComposition {
    let folder = Files.parent(of: output)
    guard Files.isFolder(folder) else { throw failure(output, "there is no folder \(folder)") }
    guard !Files.isFolder(output) else { throw failure(output, "it is a folder") }
    let root = try attempt(path) { () throws(SystemError) in try Files.folderName(at: path) }
    let former = try attempt(output) { () throws(SystemError) in
      try Files.status(output, followingLinks: false)
    }
    let draft = try attempt(output) { () throws(SystemError) in try FileDraft(of: output) }
    let writer = try writer(format, of: output, to: draft.descriptor)
    return ArchiveComposition(
      output: output, root: root, format, draft, writer, former: former)
  }

  /// Adds a place of the folder; what can't be archived is named and left out.
  ///
  /// - Parameter observe: is told how many bytes are read in all.
  mutating func add(
    _ entry: FolderTree.Entry, from tree: borrowing FolderTree, observe: (Int64) -> Void
  ) throws {
    if tree.device == draft.device, excluded.contains(entry.inode) {
      if entry.inode != draft.inode { print("left out \(entry.place): it is the archive itself") }
      return
    }
    switch entry.kind {
    case .file: try addFile(entry, from: tree, observe: observe)
    case .folder:
      try begin(entry, .folder)
      counts.folders += 1
    case .link(let target):
      try begin(entry, .symbolicLink(target))
      counts.links += 1
    case .special(let what): leaveOut(entry, "it is \(what)")
    case .mount: leaveOut(entry, "another file system is mounted there")
    }
  }

  /// Completes the archive and puts it in its place.
  ///
  /// - Returns: what is in it, in a line.
  mutating func complete() throws -> String {
    do throws(ArchiveError) {
      try writer.finish()
    } catch {
      throw Self.failure(output, error.description)
    }
    let size = draft.size
    try commit()
    var parts = [
      Self.count(counts.files, "file"), Self.count(counts.folders, "folder"),
      Self.count(counts.links, "link"),
    ]
    if counts.omitted > 0 { parts.append("\(counts.omitted) left out") }
    parts += ["\(counts.bytes) bytes read", "\(size) written"]
    return "\(output): \(parts.joined(separator: ", "))"
  }

  private mutating func commit() throws {
    do throws(SystemError) {
      try draft.commit()
    } catch {
      throw Self.failure(output, error.reason)
    }
  }

  private mutating func addFile(
    _ entry: FolderTree.Entry, from tree: borrowing FolderTree, observe: (Int64) -> Void
  ) throws {
    let name = name(of: entry)
    if format.keepsHardLinks, let earlier = shared.earlierName(of: entry, named: name) {
      try begin(entry, .hardLink(earlier))
      counts.files += 1
      return
    }
    let opened: FolderTree.OpenFile?
    do throws(SystemError) {
      opened = try tree.open(file: entry)
    } catch {
      throw BuiltInFailure(description: "cannot read \(entry.place): \(error.reason)")
    }
    guard let file = opened else {
      return leaveOut(entry, "it is gone, or something else has its name")
    }
    try begin(file.entry, .file(size: file.entry.size))
    counts.files += 1
    try copy(file, observe)
  }

  /// Copies as many bytes of a file as it had when it was opened: what is written behind them
  /// meanwhile isn't part of it.
  private mutating func copy(
    _ file: borrowing FolderTree.OpenFile, _ observe: (Int64) -> Void
  ) throws {
    let place = file.entry.place
    var left = file.entry.size
    while left > 0 {
      try Task.checkCancellation()
      let reading: Descriptors.Reading
      do throws(SystemError) {
        reading = try Descriptors.read(file.descriptor.number, into: &buffer)
      } catch {
        throw BuiltInFailure(description: "cannot read \(place): \(error.reason)")
      }
      guard case .bytes(let read) = reading else {
        throw BuiltInFailure(description: "cannot archive \(place): it shrank while it was read")
      }
      let count = min(read, Int(clamping: left))
      do throws(ArchiveError) {
        try writer.write(buffer[..<count])
      } catch {
        throw Self.failure(output, error.description)
      }
      left -= Int64(count)
      counts.bytes += Int64(count)
      draft.flush()
      observe(counts.bytes)
    }
  }

  private func begin(_ entry: FolderTree.Entry, _ content: ArchiveEntry.Content) throws {
    let loss: String?
    do throws(ArchiveError) {
      loss = try writer.add(
        ArchiveEntry(
          name: name(of: entry), content: content, permissions: entry.permissions,
          user: entry.user, group: entry.group, modified: entry.modified))
    } catch {
      throw Self.failure(output, "\(entry.place): \(error.description)")
    }
    if let loss { print("\(entry.place): \(loss)") }
  }

  /// Begins with the folder's name, unless that is the root of the file system.
  private func name(of entry: FolderTree.Entry) -> [UInt8] {
    let parts = [root, entry.place.bytes].filter { !$0.isEmpty }
    return parts.isEmpty ? [46] : Array(parts.joined(separator: [47]))  // ".", "/"
  }

  private mutating func leaveOut(_ entry: FolderTree.Entry, _ reason: String) {
    counts.omitted += 1
    print("left out \(entry.place): \(reason)")
  }

  private static func attempt<Value: ~Copyable>(
    _ path: String, _ body: () throws(SystemError) -> Value
  ) throws -> Value {
    do throws(SystemError) {
      return try body()
    } catch {
      throw failure(path, error.isBusy ? "another run is writing it" : error.reason)
    }
  }

  private static func writer(
    _ format: ArchiveFormat, of output: String, to descriptor: Int32
  ) throws -> ArchiveWriter {
    do throws(ArchiveError) {
      return try ArchiveWriter(format, to: descriptor)
    } catch {
      throw failure(output, error.description)
    }
  }

  private static func failure(_ output: String, _ reason: String) -> BuiltInFailure {
    BuiltInFailure(description: "cannot write \(output): \(reason)")
  }

  private static func count(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}

/// The files with several names, each under the first that was met.
struct SharedFiles {
  private var names: [UInt64: [UInt8]] = [:]

  /// The name under which the file was met before; nil for one that is met for the first time or has
  /// one name only.
  mutating func earlierName(of entry: FolderTree.Entry, named name: [UInt8]) -> [UInt8]? {
    guard entry.nameCount > 1 else { return nil }
    if let earlier = names[entry.inode] { return earlier }
    names[entry.inode] = name
    return nil
  }
}
