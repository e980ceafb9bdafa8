/// Turns libyaml's counts of Unicode scalars into byte offsets.
///
/// Events come in the order of the file, so the way from the last place is short.
struct ScalarCursor {
  private let source: SourceText
  private let isASCII: Bool
  private let start: Int
  private var scalar = 0
  private var offset: Int

  init(source: SourceText) {
    self.source = source
    isASCII = source.isASCII
    start = source.textStart
    offset = source.textStart
  }

  /// The byte offset of the scalar with this number, counted behind a byte order mark.
  @inline(__always)
  mutating func byteOffset(of target: Int) -> Int {
    isASCII ? target + start : move(to: target)
  }

  private mutating func move(to target: Int) -> Int {
    while scalar < target, offset < source.bytes.count {
      offset += 1
      while offset < source.bytes.count, isContinuation(offset) { offset += 1 }
      scalar += 1
    }
    while scalar > target, offset > source.textStart {
      offset -= 1
      while offset > source.textStart, isContinuation(offset) { offset -= 1 }
      scalar -= 1
    }
    return offset
  }

  private func isContinuation(_ offset: Int) -> Bool { source.bytes[offset] & 0xC0 == 0x80 }
}
