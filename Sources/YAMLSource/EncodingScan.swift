/// A place where the bytes aren't text, or where editors and YAML see different lines.
package struct EncodingDefect: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A byte that can't stand here in UTF-8.
    case invalidByte(UInt8)
    case nul
    case controlCharacter(UInt32)
    /// U+0085, U+2028 or U+2029: a line break for YAML, not for editors.
    case lineSeparator(UInt32)
    /// A second byte order mark, inside the text.
    case byteOrderMark
    /// Half of a UTF-16 pair.
    case loneSurrogate
    /// A UTF-16 file with an odd number of bytes.
    case halfCodeUnit
  }

  package let kind: Kind
  package let range: ByteRange
}

/// One look over the bytes before libyaml sees them: a single bad byte would make it fail before
/// its first event, and its place would be lost.
struct EncodingScan {
  private let bytes: [UInt8]
  private var offset: Int
  private(set) var defect: EncodingDefect?
  private(set) var isASCII = true

  init(bytes: [UInt8], from start: Int) {
    self.bytes = bytes
    offset = start
  }

  /// Scans to the first defect or to the end.
  mutating func run() {
    while defect == nil, offset < bytes.count {
      skipPlainWords()
      let end = min(offset + MemoryLayout<UInt64>.size, bytes.count)
      while offset < end, defect == nil { step() }
    }
  }

  /// Passes over words of eight printable ASCII bytes and line feeds, nearly all of any manifest.
  private mutating func skipPlainWords() {
    offset = Self.endOfPlainWords(bytes.span, from: offset)
  }

  private static func endOfPlainWords(_ bytes: Span<UInt8>, from start: Int) -> Int {
    let raw = unsafe bytes.bytes
    var offset = start
    while offset + MemoryLayout<UInt64>.size <= raw.byteCount {
      let word = unsafe raw.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
      // Sums of seven-bit numbers carry into the eighth bit of their own byte only.
      let low = word & 0x7F7F_7F7F_7F7F_7F7F
      let isFrom0x20 = low &+ 0x6060_6060_6060_6060
      let isFrom0x7F = low &+ 0x0101_0101_0101_0101
      let isNot0x0A = (low ^ 0x0A0A_0A0A_0A0A_0A0A) &+ 0x7F7F_7F7F_7F7F_7F7F
      let isStrange = word | isFrom0x7F | (~isFrom0x20 & isNot0x0A)
      if isStrange & 0x8080_8080_8080_8080 != 0 { break }
      offset += MemoryLayout<UInt64>.size
    }
    return offset
  }

  private mutating func step() {
    let byte = bytes[offset]
    switch byte {
    case 0x20...0x7E, 0x09, 0x0A, 0x0D:
      offset += 1
    case 0x00:
      found(.nul, length: 1)
    case 0x01...0x1F, 0x7F:
      found(.controlCharacter(UInt32(byte)), length: 1)
    default:
      isASCII = false
      stepOverSequence(lead: byte)
    }
  }

  private mutating func stepOverSequence(lead: UInt8) {
    // The second byte's range rules out overlong forms, surrogates and what is past U+10FFFF.
    let (length, second): (Int, ClosedRange<UInt8>)
    switch lead {
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return found(.invalidByte(lead), length: 1)
    }
    guard offset + length <= bytes.count, second.contains(bytes[offset + 1]) else {
      return found(.invalidByte(lead), length: 1)
    }
    let leadBits = UInt32(lead) & (0x7F >> UInt32(length))
    var scalar = leadBits << 6 | UInt32(bytes[offset + 1] & 0x3F)
    for index in offset + 2..<offset + max(2, length) {
      guard bytes[index] & 0xC0 == 0x80 else { return found(.invalidByte(lead), length: 1) }
      scalar = scalar << 6 | UInt32(bytes[index] & 0x3F)
    }
    switch scalar {
    case 0x85, 0x2028, 0x2029: found(.lineSeparator(scalar), length: length)
    case 0x80...0x9F, 0xFFFE, 0xFFFF: found(.controlCharacter(scalar), length: length)
    case 0xFEFF: found(.byteOrderMark, length: length)
    default: offset += length
    }
  }

  private mutating func found(_ kind: EncodingDefect.Kind, length: Int) {
    defect = EncodingDefect(kind: kind, range: ByteRange(offset, offset + length))
  }
}
