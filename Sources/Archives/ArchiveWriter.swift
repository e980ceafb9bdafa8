internal import CArchive
internal import Glibc

/// Owns an archive of libarchive that is written to an open file.
///
/// What isn't finished writes nothing more when it goes; what is in the file then is no archive.
@safe package struct ArchiveWriter: ~Copyable {
  private let archive: OpaquePointer

  /// Begins an archive in an open file, which must outlive it.
  package init(_ format: ArchiveFormat, to descriptor: Int32) throws(ArchiveError) {
    var opened: OpaquePointer?
    let result = unsafe bgrun_archive_open(descriptor, format.layout, format.filter, &opened)
    guard result == 0, let opened = unsafe opened else { throw .init(opening: -result, format) }
    unsafe archive = opened
  }

  deinit { unsafe bgrun_archive_free(archive) }

  /// Begins the next entry; the one before must be complete.
  ///
  /// - Returns: what of the entry couldn't be kept as it is; nil mostly.
  package borrowing func add(_ entry: ArchiveEntry) throws(ArchiveError) -> String? {
    var described = unsafe bgrun_archive_entry()
    unsafe described.user = Int64(entry.user)
    unsafe described.group = Int64(entry.group)
    unsafe described.modified = entry.modified
    var type = S_IFREG
    var target: [UInt8]?
    switch entry.content {
    case .file(let size): unsafe described.size = size
    case .folder: type = S_IFDIR
    case .symbolicLink(let text):
      type = S_IFLNK
      target = text
    case .hardLink(let name): target = name
    }
    unsafe described.mode = type | entry.permissions
    let result = unsafe Self.withText(entry.name) { name in
      unsafe Self.withText(target) { target in
        unsafe described.name = name
        unsafe described.symbolic_link = type == S_IFLNK ? target : nil
        unsafe described.hard_link = type == S_IFREG ? target : nil
        return unsafe bgrun_archive_add(archive, &described)
      }
    }
    guard result >= 0 else { throw failure }
    return result == 0 ? nil : message
  }

  /// Writes the next part of the content of the file that was added last.
  package borrowing func write(_ bytes: ArraySlice<UInt8>) throws(ArchiveError) {
    let result = unsafe bytes.withUnsafeBytes { buffer in
      unsafe bgrun_archive_write(archive, buffer.baseAddress, buffer.count)
    }
    guard result == 0 else { throw failure }
  }

  /// Completes the archive in its file.
  package borrowing func finish() throws(ArchiveError) {
    guard unsafe bgrun_archive_finish(archive) == 0 else { throw failure }
  }

  /// Hands a text over with the zero that ends it.
  private static func withText<Result>(
    _ text: [UInt8]?, _ body: (UnsafePointer<CChar>?) -> Result
  ) -> Result {
    guard let text else { return body(nil) }
    return unsafe (text + [0]).withUnsafeBytes { bytes in
      unsafe body(bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
    }
  }

  private var message: String { unsafe String(cString: bgrun_archive_message(archive)) }

  private var failure: ArchiveError {
    let code = unsafe bgrun_archive_error(archive)
    // The library says no more than that writing failed; the kernel says why.
    guard message == "Write error", code != 0, let reason = unsafe strerror(code) else {
      return ArchiveError(description: message)
    }
    return unsafe ArchiveError(description: String(cString: reason))
  }
}

extension ArchiveError {
  fileprivate init(opening code: Int32, _ format: ArchiveFormat) {
    switch code {
    case ELIBACC:
      description =
        "the library libarchive isn't installed; on Debian and Ubuntu it is the package libarchive13"
    case ENOTSUP:
      description = "the library libarchive of this machine can't write \(format.rawValue)"
    default:
      description = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    }
  }
}
