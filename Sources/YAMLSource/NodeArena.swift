internal import Glibc

/// The nodes of a source in the order of the file, and the texts of their scalars.
@usableFromInline struct NodeArena: Sendable {
  @usableFromInline let source: SourceText
  @usableFromInline var records: ContiguousArray<NodeRecord> = []
  private var decoded = DecodedTexts()

  init(source: SourceText) { self.source = source }

  @inlinable subscript(node: UInt32) -> NodeRecord {
    get { records[Int(node)] }
    set { records[Int(node)] = newValue }
  }

  var count: UInt32 { UInt32(records.count) }

  @inlinable func range(of node: UInt32) -> ByteRange {
    let record = self[node]
    return ByteRange(start: record.start, end: record.end)
  }

  /// Keeps a text that the source doesn't hold as it means; gives its number.
  mutating func keep(_ text: borrowing Span<UInt8>) -> UInt32 { decoded.append(text) }

  /// Takes over the nodes of another arena of this source from one on; there is no alias among them.
  mutating func append(_ other: NodeArena, from first: UInt32) {
    let shift = count &- first
    let texts = decoded.append(other.decoded)
    for var record in other.records[Int(first)...] {
      if record.isCollection {
        record.link &+= shift
      } else if record.kind == .scalar, !record.flags.contains(.isVerbatim) {
        record.link += texts
      }
      records.append(record)
    }
  }

  /// Lends the text of a scalar, escapes and folding resolved; any other node has none.
  @inlinable func withText<Result, Failure: Error>(
    of node: UInt32, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let record = self[node]
    if record.flags.contains(.isVerbatim) {
      return try body(source.bytes.span.extracting(record.verbatimBytes))
    }
    return try withDecodedText(of: record, body)
  }

  @usableFromInline func withDecodedText<Result, Failure: Error>(
    of record: NodeRecord, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let range = record.kind == .scalar ? decoded.range(Int(record.link)) : 0..<0
    return try body(decoded.bytes.span.extracting(range))
  }

  /// How many bytes a scalar's text has.
  @inlinable func textLength(of node: UInt32) -> Int {
    let record = self[node]
    if record.flags.contains(.isVerbatim) { return record.verbatimBytes.count }
    return decodedLength(of: record)
  }

  @usableFromInline func decodedLength(of record: NodeRecord) -> Int {
    record.kind == .scalar ? decoded.range(Int(record.link)).count : 0
  }

  /// The last byte of a scalar's text; nil where it is empty.
  @inlinable func lastByte(of node: UInt32) -> UInt8? {
    withText(of: node) { text in text.isEmpty ? nil : text[text.count - 1] }
  }

  /// The text of a scalar as a string.
  func text(of node: UInt32) -> String {
    let record = self[node]
    if record.flags.contains(.isVerbatim) {
      return String(decoding: source.bytes[record.verbatimBytes], as: UTF8.self)
    }
    guard record.kind == .scalar else { return "" }
    return String(decoding: decoded.bytes[decoded.range(Int(record.link))], as: UTF8.self)
  }

  /// The hash of a scalar's text; it was taken while reading where the scalar is a mapping's key.
  @inlinable func keyHash(of node: UInt32) -> KeyHash {
    let record = self[node]
    if record.flags.contains(.isVerbatim), record.link != 0 { return KeyHash(value: record.link) }
    return withText(of: node) { KeyHash($0) }
  }

  /// Whether a scalar's text is exactly these bytes.
  @inlinable func text(of node: UInt32, equals other: Span<UInt8>) -> Bool {
    let record = self[node]
    guard record.kind == .scalar else { return false }
    return withText(of: node) { text in
      text.count == other.count && Self.areEqual(text, other)
    }
  }

  /// Compares texts of the same length.
  @usableFromInline static func areEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    unsafe left.withUnsafeBytes { left in
      unsafe right.withUnsafeBytes { right in
        guard let left = left.baseAddress, let other = right.baseAddress else { return true }
        return unsafe memcmp(left, other, right.count) == 0
      }
    }
  }

  /// The index behind a node and all that is in it.
  @inlinable func following(_ node: UInt32) -> UInt32 {
    let record = self[node]
    return record.isCollection ? record.link : node + 1
  }
}

/// The texts of scalars that the source doesn't hold as they mean: escapes, folding, blocks.
private struct DecodedTexts: Sendable {
  private(set) var bytes: [UInt8] = []
  private var ends = ContiguousArray<UInt32>()

  mutating func append(_ text: borrowing Span<UInt8>) -> UInt32 {
    for index in text.indices { bytes.append(text[index]) }
    ends.append(UInt32(clamping: bytes.count))
    return UInt32(ends.count - 1)
  }

  /// Takes over other texts; gives the number of the first.
  mutating func append(_ other: DecodedTexts) -> UInt32 {
    let (shift, first) = (UInt32(clamping: bytes.count), UInt32(ends.count))
    bytes += other.bytes
    ends += other.ends.lazy.map { $0 + shift }
    return first
  }

  func range(_ number: Int) -> Range<Int> {
    (number == 0 ? 0 : Int(ends[number - 1]))..<Int(ends[number])
  }
}
