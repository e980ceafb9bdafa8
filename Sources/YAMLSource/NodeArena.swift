/// The nodes of a source in the order of the file, and the texts of their scalars.
struct NodeArena: Sendable {
  let source: SourceText
  var records: ContiguousArray<NodeRecord> = []
  private var decoded = DecodedTexts()

  init(source: SourceText) { self.source = source }

  subscript(node: UInt32) -> NodeRecord {
    get { records[Int(node)] }
    set { records[Int(node)] = newValue }
  }

  var count: UInt32 { UInt32(records.count) }

  func range(of node: UInt32) -> ByteRange {
    ByteRange(start: self[node].start, end: self[node].end)
  }

  /// Keeps a text that the source doesn't hold as it means; gives its number.
  mutating func keep(_ text: borrowing Span<UInt8>) -> UInt32 { decoded.append(text) }

  /// Lends the text of a scalar, escapes and folding resolved; any other node has none.
  func withText<Result, Failure: Error>(
    of node: UInt32, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let record = self[node]
    if record.flags.contains(.isVerbatim) {
      return try body(source.bytes.span.extracting(record.verbatimBytes))
    }
    let range = record.kind == .scalar ? decoded.range(Int(record.link)) : 0..<0
    return try body(decoded.bytes.span.extracting(range))
  }

  /// How many bytes a scalar's text has.
  func textLength(of node: UInt32) -> Int {
    let record = self[node]
    if record.flags.contains(.isVerbatim) { return record.verbatimBytes.count }
    return record.kind == .scalar ? decoded.range(Int(record.link)).count : 0
  }

  /// The last byte of a scalar's text; nil where it is empty.
  func lastByte(of node: UInt32) -> UInt8? {
    guard textLength(of: node) > 0 else { return nil }
    let record = self[node]
    return record.flags.contains(.isVerbatim)
      ? source.bytes[record.verbatimBytes.upperBound - 1]
      : decoded.bytes[decoded.range(Int(record.link)).upperBound - 1]
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
  func keyHash(of node: UInt32) -> KeyHash {
    let record = self[node]
    if record.flags.contains(.isVerbatim), record.link != 0 { return KeyHash(value: record.link) }
    return withText(of: node) { KeyHash($0) }
  }

  /// Whether a scalar's text is exactly these bytes.
  func text(of node: UInt32, equals other: borrowing Span<UInt8>) -> Bool {
    let record = self[node]
    if record.flags.contains(.isVerbatim) {
      return Self.areEqual(source.bytes.span.extracting(record.verbatimBytes), other)
    }
    guard record.kind == .scalar else { return false }
    return Self.areEqual(decoded.bytes.span.extracting(decoded.range(Int(record.link))), other)
  }

  private static func areEqual(
    _ left: borrowing Span<UInt8>, _ right: borrowing Span<UInt8>
  ) -> Bool {
    guard left.count == right.count else { return false }
    for offset in left.indices where left[offset] != right[offset] { return false }
    return true
  }

  /// The index behind a node and all that is in it.
  func following(_ node: UInt32) -> UInt32 {
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

  func range(_ number: Int) -> Range<Int> {
    (number == 0 ? 0 : Int(ends[number - 1]))..<Int(ends[number])
  }
}
