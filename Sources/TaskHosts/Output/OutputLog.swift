import LinuxSystem

/// What one run has written, in a file of limited size (DU5).
///
/// Over the limit the middle goes: a quarter of the limit is kept from the start, where a program
/// says what it is about to do and the first error stands, and the newest output behind one line that
/// tells how much was dropped. The file is in order and within its limit at every moment, so it
/// can be followed, and needs no finishing when the runner dies.
final class OutputLog {
  private let file: OpenFile
  private let limit: Int64
  private var size: Int64 = 0
  private var headSize: Int64?
  private var markSize: Int64 = 0
  private var dropped: Int64 = 0

  /// Below this a limit would hold the mark and nothing else.
  static let smallestLimit: Int64 = 1024

  init(path: String, limit: Int64) throws(SystemError) {
    file = try OpenFile(making: path)
    self.limit = max(limit, Self.smallestLimit)
  }

  /// Adds output. What can't be written, on a full disk, is dropped and counted: the run goes on
  /// (DU4).
  func append(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty {
      let part = rest.prefix(Int(limit / 4))
      rest = rest.dropFirst(part.count)
      do {
        if size + Int64(part.count) > limit { try dropMiddle() }
        try file.write(part, at: size)
        size += Int64(part.count)
      } catch {
        dropped += Int64(part.count)
      }
    }
  }

  private func dropMiddle() throws(SystemError) {
    let head = if let headSize { headSize } else { try findHead() }
    headSize = head
    let tail = try newestLines()
    let lost = size - head - markSize - Int64(tail.count)
    let mark = Array("[bgrun: \(dropped + lost) bytes of output dropped here]\n".utf8)
    try file.write((mark + tail)[...], at: head)
    try file.truncate(to: head + Int64(mark.count + tail.count))
    dropped += lost
    markSize = Int64(mark.count)
    size = head + markSize + Int64(tail.count)
  }

  /// The first quarter, back to the end of a line if there is one.
  private func findHead() throws(SystemError) -> Int64 {
    let head = try file.read(Int(limit / 4), at: 0)
    guard let lineEnd = head.lastIndex(of: UInt8(ascii: "\n")) else { return Int64(head.count) }
    return Int64(lineEnd + 1)
  }

  /// The last quarter, from the start of a line if there is one.
  private func newestLines() throws(SystemError) -> ArraySlice<UInt8> {
    let tail = try file.read(Int(limit / 4), at: size - limit / 4)
    guard let lineEnd = tail.firstIndex(of: UInt8(ascii: "\n")), lineEnd + 1 < tail.count else {
      return tail[...]
    }
    return tail[(lineEnd + 1)...]
  }
}
