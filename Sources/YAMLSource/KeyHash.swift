/// A quick hash of a key's bytes, to find duplicates and fields without making strings.
///
/// It is stable and unseeded, so equal hashes are always confirmed by the bytes, and mappings with
/// many keys don't rest on it.
@usableFromInline package struct KeyHash: Hashable, Sendable {
  @usableFromInline package let value: UInt32

  @inlinable init(value: UInt32) { self.value = value }

  @usableFromInline package init(_ text: Span<UInt8>) {
    let raw = unsafe text.bytes
    let count = raw.byteCount
    let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
    var state = UInt64(truncatingIfNeeded: count) &* multiplier
    if count >= 8 {
      var offset = 0
      while offset + 8 < count {
        let word = unsafe raw.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
        state = (state ^ word) &* multiplier
        state ^= state >> 29
        offset += 8
      }
      let last = unsafe raw.unsafeLoadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
      state = (state ^ last) &* multiplier
    } else if count >= 4 {
      let first = unsafe raw.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt32.self)
      let last = unsafe raw.unsafeLoadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
      state = (state ^ (UInt64(first) << 32 | UInt64(last))) &* multiplier
    } else {
      for index in 0..<count { state = (state ^ UInt64(text[index])) &* multiplier }
    }
    value = UInt32(truncatingIfNeeded: state >> 32)
  }

  package init(_ text: String) {
    let bytes = ContiguousArray(text.utf8)
    self.init(bytes.span)
  }
}
