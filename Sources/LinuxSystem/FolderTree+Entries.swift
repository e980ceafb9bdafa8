internal import CLinux
internal import Glibc

extension FolderTree {
  /// Anything that a folder holds, as it was found.
  package struct Entry: Sendable {
    package enum Kind: Hashable, Sendable {
      case file
      case folder
      /// A symbolic link, and what it says.
      case link([UInt8])
      /// A socket, pipe or device.
      case special(String)
      /// A folder on which another file system is mounted.
      case mount
    }

    package let place: Place
    package let kind: Kind
    /// In bytes.
    package let size: Int64
    /// The bits of chmod(2).
    package let permissions: UInt32
    package let user: UInt32
    package let group: UInt32
    /// Nanoseconds since 1970.
    package let modified: Int64
    /// With the tree's file system, names the file whatever its path.
    package let inode: UInt64
    /// How many names the file has.
    package let nameCount: Int

    fileprivate init(_ place: Place, _ kind: Kind, _ status: stat) {
      self.place = place
      self.kind = kind
      size = Int64(status.st_size)
      permissions = UInt32(status.st_mode & 0o7777)
      user = status.st_uid
      group = status.st_gid
      modified =
        Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
      inode = UInt64(status.st_ino)
      nameCount = Int(status.st_nlink)
    }
  }

  /// The folder itself.
  package var topEntry: Entry {
    get throws(SystemError) {
      guard let folder = try open(.top) else { throw SystemError("open", text(.top), code: ENOENT) }
      var status = stat()
      try check(unsafe fstat(folder.number, &status), "stat", text(.top))
      return Entry(.top, .folder, status)
    }
  }

  /// Everything that a folder holds, in the order of the names' bytes; nil when it is gone or has
  /// become something else.
  package func entries(of place: Place) throws(SystemError) -> [Entry]? {
    guard let folder = try open(place) else { return nil }
    var entries: [Entry] = []
    for name in try names(in: folder.number, at: place) {
      let found = place.appending(name)
      guard let status = try inspect(name, in: folder.number, at: found) else { continue }
      guard let kind = try kind(of: status, name, in: folder.number, at: found) else { continue }
      entries.append(Entry(found, kind, status))
    }
    return entries
  }

  /// Throws when this process may not read a file's content.
  package func checkIsReadable(_ entry: Entry) throws(SystemError) {
    guard let parent = entry.place.parent, let name = entry.place.names.last,
      let folder = try open(parent)
    else { return }
    if unsafe faccessat(folder.number, name, R_OK, AT_EACCESS) != 0 && errno != ENOENT {
      throw .last("open", text(entry.place))
    }
  }

  /// Opens a file for reading, and tells what it is by now; nil when it is gone or another one has
  /// its name.
  package func open(file entry: Entry) throws(SystemError) -> OpenFile? {
    guard let parent = entry.place.parent, let name = entry.place.names.last,
      let folder = try open(parent)
    else { return nil }
    // A pipe that took the file's place would hold the open up.
    let number = unsafe openat(
      folder.number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else {
      if errno == ENOENT || errno == ELOOP || errno == ENXIO { return nil }
      throw .last("open", text(entry.place))
    }
    let file = Descriptor(owning: number)
    var status = stat()
    try check(unsafe fstat(number, &status), "stat", text(entry.place))
    guard status.st_mode & S_IFMT == S_IFREG, UInt64(status.st_ino) == entry.inode,
      UInt64(status.st_dev) == device
    else { return nil }
    return OpenFile(entry: Entry(entry.place, .file, status), descriptor: file)
  }

  /// A file that is open for reading.
  package struct OpenFile: ~Copyable {
    package let entry: Entry
    package let descriptor: Descriptor
  }

  private func names(in folder: Int32, at place: Place) throws(SystemError) -> [[CChar]] {
    // The stream closes the descriptor that it is made of.
    let copy = try check(fcntl(folder, F_DUPFD_CLOEXEC, 0), "fcntl", text(place))
    guard let stream = unsafe fdopendir(copy) else {
      let error = SystemError.last("fdopendir", text(place))
      close(copy)
      throw error
    }
    defer { unsafe closedir(stream) }
    var names: [[CChar]] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else { break }
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe bytes.prefix { $0 != 0 }.map(CChar.init(bitPattern:)) + [0]
      }
      if name != [46, 0] && name != [46, 46, 0] { names.append(name) }  // "." and ".."
    }
    guard errno == 0 else { throw .last("readdir", text(place)) }
    return names.sorted { first, second in
      first.lexicographicallyPrecedes(second) {
        UInt8(bitPattern: $0) < UInt8(bitPattern: $1)
      }
    }
  }

  /// Nil when the name has become another thing meanwhile.
  private func kind(
    of status: stat, _ name: [CChar], in folder: Int32, at place: Place
  ) throws(SystemError) -> Entry.Kind? {
    let type = status.st_mode & S_IFMT
    guard type == S_IFDIR || UInt64(status.st_dev) == device else { return .mount }
    switch type {
    case S_IFREG: return .file
    case S_IFDIR: return UInt64(status.st_dev) == device ? .folder : .mount
    case S_IFLNK:
      var target = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = unsafe readlinkat(folder, name, &target, target.count)
      guard count >= 0 else {
        if errno == ENOENT || errno == EINVAL { return nil }
        throw .last("readlink", text(place))
      }
      return .link(target[..<count].map(UInt8.init(bitPattern:)))
    case S_IFSOCK: return .special("a socket")
    case S_IFIFO: return .special("a pipe")
    default: return .special("a device")
    }
  }
}
