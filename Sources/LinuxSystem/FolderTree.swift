internal import CLinux
internal import Glibc

/// A folder and what is below it, for work that must never touch anything else.
///
/// Everything is reached name by name from one open folder, and a link is never entered: neither
/// one that is there nor one that is put in a folder's place meanwhile leads out of the tree. Other
/// file systems that are mounted in it are left alone.
package struct FolderTree: ~Copyable {
  /// A place in the tree: the names that lead there, as the file system has them, which need not
  /// be UTF-8. The folder itself has none.
  package struct Place: Hashable, Sendable, CustomStringConvertible {
    /// Each with the zero at its end.
    let names: [[CChar]]

    /// The folder itself.
    package static let top = Place(names: [])

    func appending(_ name: [CChar]) -> Place {
      Place(names: names + [name])
    }

    /// The folder that holds it; nil for the folder itself.
    package var parent: Place? { names.isEmpty ? nil : Place(names: names.dropLast()) }

    /// The path from the folder on, as the file system has it.
    package var bytes: [UInt8] {
      Array(names.map { $0.dropLast().map(UInt8.init(bitPattern:)) }.joined(separator: [47]))
    }

    /// The path from the folder on, fit for one line: other characters than those of text are
    /// replaced.
    package var description: String {
      names.map { name in
        let text = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        return String(
          String.UnicodeScalarView(
            text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }
          ))
      }.joined(separator: "/")
    }
  }

  /// A regular file as it was found.
  package struct File: Sendable {
    package let place: Place
    /// In bytes.
    package let size: Int64
    /// Nanoseconds since 1970.
    package let modified: Int64
    fileprivate let inode: UInt64
  }

  /// What a folder holds, without links, sockets and the like.
  package struct Content: Sendable {
    package var files: [File] = []
    package var folders: [Place] = []
  }

  private let path: String
  private let top: Descriptor
  /// The file system of the folder, which is all that is reached.
  package let device: UInt64

  /// Opens the folder at a path, which may be a link itself.
  package init(_ path: String) throws(SystemError) {
    let top = try Descriptor.open(path, O_RDONLY | O_DIRECTORY)
    var status = stat()
    try check(unsafe fstat(top.number, &status), "stat", path)
    self.path = path
    self.top = top
    device = UInt64(status.st_dev)
  }

  /// What a folder holds; nothing when it is gone or has become something else.
  package func content(of place: Place) throws(SystemError) -> Content {
    var content = Content()
    for entry in try entries(of: place) ?? [] {
      switch entry.kind {
      case .folder: content.folders.append(entry.place)
      case .file:
        content.files.append(
          File(
            place: entry.place, size: entry.size, modified: entry.modified, inode: entry.inode))
      case .link, .special, .mount: continue
      }
    }
    return content
  }

  /// Removes a file, unless it is gone or another one has its name by now.
  ///
  /// - Returns: whether it was removed.
  package func remove(_ file: File) throws(SystemError) -> Bool {
    guard let parent = file.place.parent, let name = file.place.names.last,
      let folder = try open(parent),
      let status = try inspect(name, in: folder.number, at: file.place),
      UInt64(status.st_ino) == file.inode, UInt64(status.st_dev) == device,
      status.st_mode & S_IFMT == S_IFREG
    else { return false }
    try check(unsafe unlinkat(folder.number, name, 0), "unlink", text(file.place))
    return true
  }

  /// Removes a folder in which nothing is left; the tree's own is never removed.
  ///
  /// - Returns: whether it was removed.
  package func removeIfEmpty(_ place: Place) throws(SystemError) -> Bool {
    guard let parent = place.parent, let name = place.names.last, let folder = try open(parent)
    else { return false }
    if unsafe unlinkat(folder.number, name, AT_REMOVEDIR) == 0 { return true }
    switch errno {
    case ENOTEMPTY, EEXIST, ENOENT, ENOTDIR, EBUSY: return false
    case let code: throw SystemError("rmdir", text(place), code: code)
    }
  }

  /// The folder at a place; nil when a name on the way is gone or no folder any more.
  func open(_ place: Place) throws(SystemError) -> Descriptor? {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    var folder = Descriptor(
      owning: try check(unsafe openat(top.number, ".", flags), "open", path))
    for name in place.names {
      let next = unsafe openat(folder.number, name, flags)
      guard next >= 0 else {
        let code = errno
        if [ENOENT, ENOTDIR, ELOOP].contains(code) { return nil }
        throw SystemError("open", text(place), code: code)
      }
      folder = Descriptor(owning: next)
    }
    return folder
  }

  func inspect(
    _ name: [CChar], in folder: Int32, at place: Place
  ) throws(SystemError) -> stat? {
    var status = stat()
    guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      if errno == ENOENT { return nil }
      throw .last("stat", text(place))
    }
    return status
  }

  func text(_ place: Place) -> String {
    place == .top ? path : "\(path)/\(place)"
  }
}
