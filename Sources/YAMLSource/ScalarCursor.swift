/// Turns libyaml's counts of Unicode scalars into byte offsets.
///
/// Events come in the order of the file, so the way from the last place is short.
struct ScalarCursor {
  private let source: SourceText
  private var scalar = 0
  private var offset: Int

  init(source: SourceText) {
    self.source = source
    offset = source.textStart
  }

  /// The byte offset of the scalar with this number, counted behind a byte order mark.
  mutating func byteOffset(of target: Int) -> Int {
    if source.isASCII { return min(target + source.textStart, source.bytes.count) }
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
