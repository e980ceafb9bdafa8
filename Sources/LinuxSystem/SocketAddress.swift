internal import CLinux
internal import Glibc

/// The address of a datagram socket in the file system, or, with `@` first, in the abstract
/// namespace, which needs no file and ends with its process.
struct SocketAddress {
  private var address = sockaddr_un()
  private var length: Int
  /// Keeps the folder open that a long path is reached through.
  private let folder: FolderReference?

  private final class FolderReference {
    let descriptor: Descriptor
    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
  }

  /// Paths over 107 bytes are reached through their folder in /proc/self/fd.
  init(_ text: String) throws(SystemError) {
    let room = MemoryLayout.size(ofValue: address.sun_path)
    var bytes = Array(text.utf8)
    if bytes.first == UInt8(ascii: "@") {
      bytes[0] = 0
      folder = nil
    } else if bytes.count < room {
      bytes.append(0)
      folder = nil
    } else {
      let reference = FolderReference(
        try Descriptor.open(Files.parent(of: text), O_RDONLY | O_DIRECTORY))
      let name = text[text.lastIndex(of: "/")!...]
      bytes = Array("/proc/self/fd/\(reference.descriptor.number)\(name)".utf8) + [0]
      folder = reference
    }
    guard bytes.count > 1, bytes.count <= room else {
      throw SystemError("socket address", text, code: ENAMETOOLONG)
    }
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    length = MemoryLayout<sa_family_t>.size + bytes.count
  }

  /// Lends the address to a call.
  func withAddress<Result>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe body(generic, socklen_t(length))
      }
    }
  }
}
