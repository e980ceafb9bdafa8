internal import CLinux
internal import Glibc

/// Whole files and folders, without Foundation. Paths are UTF-8 text.
package enum Files {
  /// All bytes of a file, also of one in /proc or /sys, whose size reads as 0.
  package static func read(_ path: String) throws(SystemError) -> [UInt8] {
    let file = try Descriptor.open(path, O_RDONLY)
    do {
      return try Descriptors.readAll(file.number)
    } catch {
      throw SystemError("read", path, code: error.code)
    }
  }

  /// The text of a file; bytes that aren't UTF-8 are replaced.
  package static func text(_ path: String) throws(SystemError) -> String {
    String(decoding: try read(path), as: UTF8.self)
  }

  /// Writes a small file that needn't survive a crash of the machine.
  package static func write(
    _ bytes: [UInt8], to path: String, permissions: UInt32 = 0o600
  ) throws(SystemError) {
    let file = try Descriptor.open(
      path, O_WRONLY | O_CREAT | O_TRUNC, permissions: permissions)
    do {
      try Descriptors.write(all: bytes[...], to: file.number)
    } catch {
      throw SystemError("write", path, code: error.code)
    }
  }

  /// Puts a file in place of the one that is there, so that after a crash of the machine either the
  /// old content or the new one is found, whole.
  ///
  /// - Parameter draft: a path in the same folder under which it is written first; nil is the path
  ///   with `.new` behind it.
  package static func replace(
    _ path: String, with bytes: [UInt8], by draft: String? = nil, permissions: UInt32 = 0o600
  ) throws(SystemError) {
    let draft = draft ?? path + ".new"
    let file = try Descriptor.open(draft, O_WRONLY | O_CREAT | O_TRUNC, permissions: permissions)
    do {
      try Descriptors.write(all: bytes[...], to: file.number)
      try check(fsync(file.number), "fsync")
    } catch {
      throw SystemError(error.call, draft, code: error.code)
    }
    try check(unsafe rename(draft, path), "rename", path)
    let folder = try Descriptor.open(parent(of: path), O_RDONLY | O_DIRECTORY)
    try check(fsync(folder.number), "fsync", parent(of: path))
  }

  /// Makes a folder and those above it, with the given permissions; one that is there already is
  /// left as it is.
  package static func makeFolders(
    _ path: String, permissions: UInt32 = 0o700
  ) throws(SystemError) {
    if unsafe mkdir(path, permissions) == 0 { return }
    switch errno {
    case EEXIST where isFolder(path): return
    case ENOENT where path.contains("/"):
      let above = parent(of: path)
      guard above != path else { throw SystemError("mkdir", path, code: ENOENT) }
      try makeFolders(above, permissions: permissions)
      guard unsafe mkdir(path, permissions) == 0 || errno == EEXIST else {
        throw .last("mkdir", path)
      }
    case let code: throw SystemError("mkdir", path, code: code)
    }
  }

  /// The names in a folder, sorted, without "." and "..".
  package static func list(_ path: String) throws(SystemError) -> [String] {
    guard let folder = unsafe opendir(path) else { throw .last("opendir", path) }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// What is known of a file without opening it.
  package struct Status: Equatable, Sendable {
    package enum Kind: Sendable { case file, folder, other }
    package var kind: Kind
    /// In bytes.
    package var size: Int64
    /// Permission bits.
    package var permissions: UInt32
    package var user: UInt32
    /// Nanoseconds since 1970.
    package var modified: Int64
    /// Names the file on this machine, whatever its path.
    package var device: UInt64
    package var inode: UInt64
  }

  /// The status of a file; nil when there is none.
  package static func status(
    _ path: String, followingLinks: Bool = true
  ) throws(SystemError) -> Status? {
    var result = stat()
    let flags = followingLinks ? 0 : AT_SYMLINK_NOFOLLOW
    guard unsafe fstatat(AT_FDCWD, path, &result, flags) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .last("stat", path)
    }
    let kind: Status.Kind =
      switch result.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      default: .other
      }
    return Status(
      kind: kind, size: Int64(result.st_size), permissions: UInt32(result.st_mode & 0o7777),
      user: result.st_uid,
      modified: Int64(result.st_mtim.tv_sec) * 1_000_000_000 + Int64(result.st_mtim.tv_nsec),
      device: UInt64(result.st_dev), inode: UInt64(result.st_ino))
  }

  package static func isFolder(_ path: String) -> Bool {
    (try? status(path))??.kind == .folder
  }

  /// Bytes that an unprivileged program may still write to the file system of a path.
  package static func freeBytes(at path: String) throws(SystemError) -> Int64 {
    var result = statvfs()
    try check(unsafe statvfs(path, &result), "statvfs", path)
    let (bytes, overflow) = UInt64(result.f_bavail).multipliedReportingOverflow(
      by: UInt64(result.f_frsize))
    return overflow ? .max : Int64(clamping: bytes)
  }

  /// Removes a file; one that isn't there is not an error.
  package static func remove(_ path: String) throws(SystemError) {
    if unsafe unlink(path) != 0 && errno != ENOENT { throw .last("unlink", path) }
  }

  /// The folder in which the process was started or that it changed to.
  package static func workingFolder() throws(SystemError) -> String {
    guard let result = unsafe getcwd(nil, 0) else { throw .last("getcwd") }
    defer { unsafe free(result) }
    return unsafe String(cString: result)
  }

  /// The first executable file of that name in the folders of a PATH value; empty entries, which
  /// would mean the working folder, are passed over. Nil when there is none.
  package static func executable(named name: String, searching path: String) -> String? {
    for folder in path.split(separator: ":") {
      let candidate = "\(folder)/\(name)"
      if isExecutable(candidate) { return candidate }
    }
    return nil
  }

  /// Whether a path is a file that this process may execute.
  package static func isExecutable(_ path: String) -> Bool {
    unsafe access(path, X_OK) == 0 && (try? status(path))??.kind == .file
  }

  /// The part of a path before its last slash.
  package static func parent(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The part of a path behind its last slash.
  package static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// The name of the folder at a path, also where the path ends in a slash or in dots; "" for the
  /// root.
  package static func folderName(at path: String) throws(SystemError) -> String {
    let written = path.split(separator: "/").last ?? ""
    if written != "" && written != "." && written != ".." { return String(written) }
    guard let resolved = unsafe realpath(path, nil) else { throw .last("realpath", path) }
    defer { unsafe free(resolved) }
    return unsafe name(of: String(cString: resolved))
  }
}
