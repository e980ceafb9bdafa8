/// A place as people and editors name it.
package struct SourcePosition: Hashable, Sendable {
  /// 1-based.
  package var line: Int
  /// 1-based, in Unicode scalars.
  package var column: Int
  /// 0-based byte offset in the file as it stands on disk.
  package var offset: Int
  /// 0-based column in UTF-16 code units, as editors' protocols count.
  package var utf16Column: Int

  package init(line: Int, column: Int, offset: Int, utf16Column: Int) {
    self.line = line
    self.column = column
    self.offset = offset
    self.utf16Column = utf16Column
  }
}

/// Where each line of a source begins. Built only for sources that something is said about.
package struct LineTable: Sendable {
  package let source: SourceText
  private let starts: ContiguousArray<UInt32>

  package init(source: SourceText) {
    self.source = source
    let bytes = source.bytes
    var starts: ContiguousArray<UInt32> = [UInt32(source.textStart)]
    for index in source.textStart..<bytes.count {
      let isBreak =
        bytes[index] == 0x0A
        || (bytes[index] == 0x0D && (index + 1 == bytes.count || bytes[index + 1] != 0x0A))
      if isBreak { starts.append(UInt32(index + 1)) }
    }
    self.starts = starts
  }

  /// How many lines the source has; text that ends with a line break has no line after it.
  package var lineCount: Int {
    Int(starts[starts.count - 1]) == source.bytes.count ? max(1, starts.count - 1) : starts.count
  }

  /// The 1-based line that holds a byte offset.
  package func line(of offset: Int) -> Int {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int(starts[middle]) <= offset { low = middle } else { high = middle }
    }
    return low + 1
  }

  /// The bytes of a 1-based line, without its line break.
  package func range(ofLine line: Int) -> ByteRange {
    let start = Int(starts[line - 1])
    var end = line < starts.count ? Int(starts[line]) : source.bytes.count
    while end > start, source.bytes[end - 1] == 0x0A || source.bytes[end - 1] == 0x0D { end -= 1 }
    return ByteRange(start, end)
  }

  /// The line and columns of a byte offset; an offset past the end is the end.
  package func position(of offset: Int) -> SourcePosition {
    let offset = min(max(offset, source.textStart), source.bytes.count)
    let line = line(of: offset)
    let start = Int(starts[line - 1])
    return SourcePosition(
      line: line,
      column: source.scalarCount(from: start, to: offset) + 1,
      offset: source.fileOffset(of: offset),
      utf16Column: source.utf16Length(from: start, to: offset))
  }
}
