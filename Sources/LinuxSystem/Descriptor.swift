internal import CLinux
internal import Glibc

/// Owns one file descriptor and closes it.
package struct Descriptor: ~Copyable, Sendable {
  /// The number, valid for as long as the owner lives.
  package let number: Int32

  /// Takes over a number that nobody else closes.
  package init(owning number: Int32) {
    self.number = number
  }

  /// Opens a file, closed on exec; `permissions` are for one that is made by it.
  static func open(
    _ path: String, _ flags: Int32, permissions: UInt32 = 0o600
  ) throws(SystemError) -> Descriptor {
    Descriptor(
      owning: try check(unsafe Glibc.open(path, flags | O_CLOEXEC, permissions), "open", path))
  }

  deinit {
    close(number)
  }
}

/// Reading and writing through descriptor numbers that somebody else owns.
package enum Descriptors {
  /// What a read that doesn't block found.
  package enum Reading: Equatable {
    case bytes(Int)
    case wouldBlock
    case end
  }

  /// Ignores SIGPIPE in this process: writes to a closed pipe fail with EPIPE instead.
  package static func ignoreBrokenPipes() {
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// Writes every byte, waiting where a pipe is full.
  package static func write(
    all bytes: some Collection<UInt8>, to descriptor: Int32
  ) throws(SystemError) {
    try write(all: Array(bytes)[...], to: descriptor)
  }

  /// Writes every byte of a slice, waiting where a pipe is full.
  package static func write(
    all bytes: ArraySlice<UInt8>, to descriptor: Int32
  ) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      let written = unsafe rest.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
      }
      if written >= 0 {
        rest = rest.dropFirst(written)
      } else if errno == EAGAIN {
        var waited = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&waited, 1, -1)
      } else if errno != EINTR {
        throw .last("write", "descriptor \(descriptor)")
      }
    }
  }

  /// Writes once, as much as there is room for.
  ///
  /// - Returns: the number of bytes written; 0 where a descriptor that doesn't block has no room.
  package static func writeSome(
    _ bytes: ArraySlice<UInt8>, to descriptor: Int32
  ) throws(SystemError) -> Int {
    while true {
      let written = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
      }
      if written >= 0 { return written }
      if errno == EAGAIN { return 0 }
      if errno != EINTR { throw .last("write", "descriptor \(descriptor)") }
    }
  }

  /// Reads once into the buffer's start, at most its count.
  package static func read(
    _ descriptor: Int32, into buffer: inout [UInt8]
  ) throws(SystemError) -> Reading {
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe Glibc.read(descriptor, bytes.baseAddress, bytes.count)
      }
      if count > 0 { return .bytes(count) }
      if count == 0 { return .end }
      if errno == EAGAIN { return .wouldBlock }
      if errno != EINTR { throw .last("read", "descriptor \(descriptor)") }
    }
  }

  /// Waits until there is something to read, or the other side is gone.
  ///
  /// A thread that waits here instead of in a read of a socket isn't woken each time the other side
  /// has taken what this side wrote.
  ///
  /// - Parameter deadline: when to give up, by the monotonic clock, in nanoseconds; never without it.
  /// - Returns: false when the time was over first.
  @discardableResult
  package static func waitForInput(_ descriptor: Int32, until deadline: Int64? = nil) -> Bool {
    if let deadline { return bgrun_input_wait_until(descriptor, deadline) != 0 }
    var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&waited, 1, -1)
    return true
  }

  /// Reads until the other side closes, waiting where there is nothing yet; for pipes and files
  /// that end.
  package static func readAll(_ descriptor: Int32) throws(SystemError) -> [UInt8] {
    var (result, isWhole) = readKnownSize(descriptor)
    if isWhole { return result }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      switch try read(descriptor, into: &buffer) {
      case .bytes(let count): result.append(contentsOf: buffer[..<count])
      case .end: return result
      case .wouldBlock:
        // Whoever shares the descriptor may have made it not block; its end is still to come.
        waitForInput(descriptor)
      }
    }
  }

  /// A file may promise more than there is memory.
  private static let mostReadAtOnce = 128 << 20

  /// Reads as many bytes as the status of a file promises, into memory that is touched once; whole
  /// where the file then had no more.
  ///
  /// A file that shrank gives fewer, one of unknown size none; a failure stops it too, and the next
  /// read meets it again.
  private static func readKnownSize(_ descriptor: Int32) -> (bytes: [UInt8], isWhole: Bool) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size > 0
    else { return ([], false) }
    let size = min(Int(status.st_size), mostReadAtOnce)
    // With room for a byte more, the read that brings the last one also meets the end.
    var isWhole = false
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size + 1) { bytes, filled in
      while filled <= size {
        let count = unsafe Glibc.read(
          descriptor, bytes.baseAddress! + filled, size + 1 - filled)
        guard count > 0 else { return }
        filled += count
        isWhole = filled == size
        if isWhole { return }
      }
    }
    return (bytes, isWhole)
  }

  /// Empties an eventfd, timerfd or the like of its 8-byte counter: the count, or nil where there
  /// was nothing; throws ECANCELED for a timer whose clock was set.
  static func readCounter(_ descriptor: Int32) throws(SystemError) -> UInt64? {
    var count: UInt64 = 0
    guard unsafe Glibc.read(descriptor, &count, 8) == 8 else {
      if errno == EAGAIN || errno == EINTR { return nil }
      throw .last("read", "descriptor \(descriptor)")
    }
    return count
  }
}
