/// Turns libyaml's counts of Unicode scalars into byte offsets.
///
/// Events come in the order of the file, so the way from the last place is short.
struct ScalarCursor {
  private let source: SourceText
  private let isASCII: Bool
  private let start: Int
  private var scalar: Int
  private var offset: Int

  /// Counts from an offset on; the scalar there has the number `scalar`.
  init(source: SourceText, from offset: Int, scalar: Int) {
    self.source = source
    self.offset = offset
    self.scalar = scalar
    isASCII = source.isASCII
    start = offset - scalar
  }

  /// The byte offset of the scalar with this number.
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
