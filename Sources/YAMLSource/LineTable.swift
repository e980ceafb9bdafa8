internal import Glibc

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
    var starts: ContiguousArray<UInt32> = [UInt32(source.textStart)]
    unsafe source.bytes.withUnsafeBytes { bytes in
      var line = source.textStart
      // Mostly there is no carriage return, and then one look tells that of the whole text.
      var carriage = unsafe Self.first(0x0D, in: bytes, from: line)
      while line < bytes.count {
        let feed = unsafe Self.first(0x0A, in: bytes, from: line)
        while carriage < feed {
          // One in front of a line feed is part of that line's break.
          if carriage + 1 != feed || feed == bytes.count { starts.append(UInt32(carriage + 1)) }
          carriage = unsafe Self.first(0x0D, in: bytes, from: carriage + 1)
        }
        guard feed < bytes.count else { break }
        starts.append(UInt32(feed + 1))
        line = feed + 1
      }
    }
    self.starts = starts
  }

  /// The offset of the first such byte from an offset on; the number of bytes where there is none.
  private static func first(
    _ byte: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int
  ) -> Int {
    guard start < bytes.count, let base = bytes.baseAddress,
      let hit = unsafe memchr(base + start, Int32(byte), bytes.count - start)
    else { return bytes.count }
    return unsafe base.distance(to: UnsafeRawPointer(hit))
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
