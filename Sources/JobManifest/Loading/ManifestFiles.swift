import Glibc

/// Finds the manifests that paths stand for.
package enum ManifestFiles {
  /// Why a path stands for no manifest.
  package enum Failure: Error, Equatable, Sendable {
    case missing(path: String)
    /// A folder without a `.yaml` or `.yml` file that isn't ignored.
    case noMatch(path: String)
    /// Neither file nor folder, or one that can't be read; `reason` is the system's.
    case unreadable(path: String, reason: String)

    /// One sentence that names the path.
    package var sentence: String {
      switch self {
      case .missing(let path): "there is no file or folder '\(path)'"
      case .noMatch(let path): "the folder '\(path)' holds no .yaml or .yml file"
      case .unreadable(let path, let reason): "'\(path)' can't be read: \(reason)"
      }
    }
  }

  /// How deep folders may stand in each other; links can make them endless.
  private static let deepest = 64

  /// The files of each path: a file itself, of a folder the `.yaml` and `.yml` files in it and
  /// below it that no `.gitignore` excludes, sorted by path. A file is named once.
  package static func find(paths: [String]) throws(Failure) -> [String] {
    if paths.count == 1 { return try manifests(of: paths[0]) }
    var files: [String] = []
    var seen: Set<String> = []
    for path in paths {
      let found = try manifests(of: path)
      for file in found where seen.insert(file).inserted { files.append(file) }
    }
    return files
  }

  private static func manifests(of path: String) throws(Failure) -> [String] {
    guard let kind = FileKind(path) else {
      throw errno == ENOENT || errno == ENOTDIR
        ? .missing(path: path) : .unreadable(path: path, reason: reason())
    }
    guard kind == .folder else { return [path] }
    var found: [String] = []
    let trimmed = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    let absolute = absolutePath(of: trimmed)
    try walk(trimmed, absolute, GitIgnore.above(absolute), depth: 0, into: &found)
    guard !found.isEmpty else { throw .noMatch(path: path) }
    return found.sorted()
  }

  private static func walk(
    _ folder: String, _ absolute: String, _ ignore: GitIgnore, depth: Int,
    into found: inout [String]
  ) throws(Failure) {
    guard depth < deepest else { return }
    let ignore = ignore.adding(absolute)
    for (name, listed) in try names(in: folder) where name != ".git" {
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      guard let kind = listed ?? FileKind(path) else { continue }
      guard !ignore.excludes("\(absolute)/\(name)", isFolder: kind == .folder) else { continue }
      switch kind {
      case .folder:
        try walk(path, "\(absolute)/\(name)", ignore, depth: depth + 1, into: &found)
      case .file: if name.hasSuffix(".yaml") || name.hasSuffix(".yml") { found.append(path) }
      }
    }
  }

  /// The path without links, `/` as nothing, so that names can be joined to it.
  private static func absolutePath(of folder: String) -> String {
    guard let resolved = realpath(folder, nil) else { return folder }
    defer { free(resolved) }
    let path = String(cString: resolved)
    return path == "/" ? "" : path
  }

  /// The names in a folder, with what they are where listing it tells.
  private static func names(
    in folder: String
  ) throws(Failure) -> [(name: String, kind: FileKind?)] {
    guard let directory = opendir(folder) else {
      throw .unreadable(path: folder, reason: reason())
    }
    defer { closedir(directory) }
    var names: [(name: String, kind: FileKind?)] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." {
        names.append((name, FileKind(listed: Int(entry.pointee.d_type))))
      }
    }
    return names
  }

  private static func reason() -> String { String(cString: strerror(errno)) }

  private enum FileKind {
    case file
    case folder

    /// nil where it is a link, or where the file system doesn't say.
    init?(listed type: Int) {
      switch type {
      case Int(DT_REG): self = .file
      case Int(DT_DIR): self = .folder
      default: return nil
      }
    }

    /// nil where nothing is there; `errno` says why.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      self = status.st_mode & S_IFMT == S_IFDIR ? .folder : .file
    }
  }
}
