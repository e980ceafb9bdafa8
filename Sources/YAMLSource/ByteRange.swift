/// A half-open range of bytes in a source, small enough to keep beside every value.
///
/// A source is at most 64 MiB, so four bytes a bound are enough.
@usableFromInline package struct ByteRange: Hashable, Sendable {
  @usableFromInline package var start: UInt32
  @usableFromInline package var end: UInt32

  @inlinable package init(start: UInt32, end: UInt32) {
    self.start = start
    self.end = max(start, end)
  }

  package init(_ start: Int, _ end: Int) {
    self.init(start: UInt32(clamping: start), end: UInt32(clamping: end))
  }

  package var isEmpty: Bool { start == end }

  /// The range with more bytes behind it.
  package func extended(by length: Int) -> Self { Self(Int(start), Int(end) + max(0, length)) }

  /// The part of the range from the byte `offset` on, `length` bytes long.
  package func part(at offset: Int, length: Int) -> Self {
    let first = min(Int(start) + offset, Int(end))
    return Self(first, min(first + length, Int(end)))
  }
}
