internal import Glibc

/// The bytes of one source in UTF-8, with what was found while they were looked over once.
///
/// UTF-16 with a byte order mark is transcoded here, so that everything after works on UTF-8.
@usableFromInline package struct SourceText: Sendable {
  /// How the bytes stood in the file.
  package enum Encoding: Sendable {
    case utf8
    case utf8WithMark
    case utf16LittleEndian
    case utf16BigEndian
  }

  /// UTF-8, the byte order mark included where the file has one.
  @usableFromInline package let bytes: [UInt8]
  package let encoding: Encoding
  /// Where the text begins: behind a byte order mark, which is no column.
  package let textStart: Int
  /// The first place that isn't text an editor and YAML agree on, if there is one.
  package let defect: EncodingDefect?
  /// Every byte is ASCII, so that characters and bytes count alike.
  package let isASCII: Bool

  package init(bytes: [UInt8]) {
    var mark = bytes.prefix(3).makeIterator()
    let (first, second, third) = (mark.next(), mark.next(), mark.next())
    let transcoded: TranscodedText?
    switch (first, second, third) {
    case (0xFF, 0xFE, _):
      transcoded = TranscodedText(utf16: bytes.dropFirst(2), isLittleEndian: true)
      encoding = .utf16LittleEndian
    case (0xFE, 0xFF, _):
      transcoded = TranscodedText(utf16: bytes.dropFirst(2), isLittleEndian: false)
      encoding = .utf16BigEndian
    case (0xEF, 0xBB, 0xBF):
      transcoded = nil
      encoding = .utf8WithMark
    default:
      transcoded = nil
      encoding = .utf8
    }
    self.bytes = transcoded?.bytes ?? bytes
    textStart = encoding == .utf8WithMark ? 3 : 0
    var scan = EncodingScan(bytes: self.bytes, from: textStart)
    scan.run()
    isASCII = scan.isASCII
    defect =
      [scan.defect, transcoded?.defect].compactMap(\.self).min { $0.range.start < $1.range.start }
  }

  /// The offset in the file of the byte at `offset` in the text; they differ for UTF-16 only.
  package func fileOffset(of offset: Int) -> Int {
    switch encoding {
    case .utf8, .utf8WithMark:
      return offset
    case .utf16LittleEndian, .utf16BigEndian:
      return 2 + 2 * utf16Length(from: 0, to: offset)
    }
  }

  /// How many Unicode scalars begin in the bytes between two offsets.
  package func scalarCount(from start: Int, to end: Int) -> Int {
    var count = 0
    for index in start..<max(start, end) where bytes[index] & 0xC0 != 0x80 { count += 1 }
    return count
  }

  /// How many UTF-16 code units the bytes between two offsets make.
  package func utf16Length(from start: Int, to end: Int) -> Int {
    var count = 0
    for index in start..<max(start, end) where bytes[index] & 0xC0 != 0x80 {
      count += bytes[index] >= 0xF0 ? 2 : 1
    }
    return count
  }

  /// Where a text stands behind a `#` and blanks; whether that is a comment is for the tree to say.
  package func offsets(ofCommentText text: String) -> [Int] {
    let wanted = ContiguousArray(text.utf8)
    var found: [Int] = []
    unsafe bytes.withUnsafeBytes { all in
      var offset = textStart
      while offset < all.count, let base = all.baseAddress,
        let hit = unsafe memchr(base + offset, Int32(UInt8(ascii: "#")), all.count - offset)
      {
        offset = unsafe base.distance(to: UnsafeRawPointer(hit)) + 1
        while offset < all.count, unsafe all[offset] == UInt8(ascii: " ") { offset += 1 }
        if unsafe all[offset...].starts(with: wanted) { found.append(offset) }
      }
    }
    return found
  }

  /// The text of a range; the range lies on whole characters.
  package func text(in range: ByteRange) -> String {
    String(decoding: bytes[Int(range.start)..<Int(range.end)], as: UTF8.self)
  }
}

// Places in the text.
extension SourceText {
  /// Whether a line begins at an offset.
  func isLineStart(_ offset: Int) -> Bool { offset == textStart || bytes[offset - 1] == 0x0A }

  /// The character at an offset; at the end nothing.
  func character(at offset: Int) -> ByteRange {
    var end = offset
    if end < bytes.count { end += 1 }
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    return ByteRange(offset, end)
  }

  /// How far the line of an offset is indented, the dashes of its list items included.
  func indentation(ofLineAt offset: Int) -> Int {
    var start = offset
    while !isLineStart(start) { start -= 1 }
    var index = start
    while index < bytes.count,
      bytes[index] == UInt8(ascii: " ")
        || (bytes[index] == UInt8(ascii: "-") && index + 1 < bytes.count
          && bytes[index + 1] == UInt8(ascii: " "))
    {
      index += 1
    }
    return index - start
  }
}

/// UTF-16 brought to UTF-8, up to and including the first unit that isn't text.
private struct TranscodedText {
  var bytes: [UInt8] = []
  var defect: EncodingDefect?

  init(utf16 source: some Sequence<UInt8>, isLittleEndian: Bool) {
    var rest = source.makeIterator()
    var isCutInHalf = false
    let units = AnyIterator<UInt16> {
      guard let first = rest.next() else { return nil }
      guard let second = rest.next() else {
        isCutInHalf = true
        return nil
      }
      return isLittleEndian
        ? UInt16(second) << 8 | UInt16(first) : UInt16(first) << 8 | UInt16(second)
    }
    var input = units
    var decoder = UTF16()
    decoding: while true {
      switch decoder.decode(&input) {
      case .scalarValue(let scalar):
        bytes.append(contentsOf: UTF8.encode(scalar)!)
      case .error:
        mark(.loneSurrogate)
        break decoding
      case .emptyInput:
        if isCutInHalf { mark(.halfCodeUnit) }
        break decoding
      }
    }
  }

  private mutating func mark(_ kind: EncodingDefect.Kind) {
    let offset = bytes.count
    bytes.append(contentsOf: [0xEF, 0xBF, 0xBD])
    defect = EncodingDefect(kind: kind, range: ByteRange(offset, offset + 3))
  }
}
