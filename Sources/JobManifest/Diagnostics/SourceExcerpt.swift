import YAMLSource

/// A line of a source with a caret under a range of it, in cells of a terminal.
struct SourceExcerpt {
  /// The line as it is shown: tabs expanded, what has no shape replaced, cut where it is too long.
  let text: String
  /// The cells in front of the caret.
  let indent: Int
  /// The cells that the caret covers, at least one.
  let width: Int

  private static let tabStop = 4
  private static let longest = 160
  /// The cells that are kept in front of the caret in a line that is cut.
  private static let lead = 60

  init(line: ByteRange, range: ByteRange, in source: SourceText) {
    let start = max(Int(range.start), Int(line.start))
    let end = min(max(Int(range.end), start), Int(line.end))
    // A line may be as long as the file: only what is near the range is looked at.
    var first = Int(line.start)
    var isCutBefore = false
    if start - first > 4 * Self.longest {
      first = start - Self.lead
      while source.bytes[first] & 0xC0 == 0x80 { first -= 1 }
      isCutBefore = true
    }
    var shown = isCutBefore ? "..." : ""
    var cells = isCutBefore ? 3 : 0
    var caret = (start: cells, end: cells)
    var offset = first
    let bytes = source.bytes[first..<min(Int(line.end), start + 4 * Self.longest)]
    var isCutAfter = bytes.endIndex < Int(line.end)
    while offset < bytes.endIndex {
      let (scalar, length) = Self.scalar(at: offset, in: bytes)
      if cells > Self.longest, offset >= start {
        isCutAfter = true
        break
      }
      let (text, width) = Self.shape(of: scalar, at: cells)
      if offset == start { caret.start = cells }
      shown += text
      cells += width
      offset += length
      if offset <= start { caret.start = cells }
      if offset <= end { caret.end = cells }
    }
    if isCutAfter { shown += "..." }
    while shown.last == " " { shown.removeLast() }
    text = shown
    indent = caret.start
    width = max(1, min(caret.end, Self.longest + 3) - caret.start)
  }

  /// The scalar at an offset and how many bytes it takes; a byte that isn't UTF-8 is one replacement
  /// character.
  private static func scalar(
    at offset: Int, in bytes: ArraySlice<UInt8>
  ) -> (scalar: Unicode.Scalar, length: Int) {
    if bytes[offset] < 0x80 { return (Unicode.Scalar(bytes[offset]), 1) }
    let length =
      switch bytes[offset] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    let character = bytes[offset...].prefix(length)
    let decoded = String(decoding: character, as: UTF8.self).unicodeScalars
    guard let scalar = decoded.first, decoded.count == 1, UTF8.width(scalar) == length,
      character.count == length
    else { return ("\u{FFFD}", 1) }
    return (scalar, length)
  }

  private static func shape(of scalar: Unicode.Scalar, at cells: Int) -> (String, Int) {
    switch scalar.value {
    case 0x09:
      let width = tabStop - cells % tabStop
      return (String(repeating: " ", count: width), width)
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029:
      return ("?", 1)
    default:
      return (String(Character(scalar)), CharacterWidth.cells(of: scalar))
    }
  }
}
