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

  /// The bytes of a scalar's text where they are kept.
  func textBytes(of node: UInt32) -> ArraySlice<UInt8> {
    let record = self[node]
    if record.flags.contains(.isVerbatim) { return source.bytes[record.verbatimBytes] }
    return record.kind == .scalar ? decoded.bytes[decoded.range(Int(record.link))] : []
  }

  /// The text of a scalar as a string.
  func text(of node: UInt32) -> String { String(decoding: textBytes(of: node), as: UTF8.self) }

  /// The hash of a scalar's text; it was taken while reading where the scalar is a mapping's key.
  func keyHash(of node: UInt32) -> KeyHash {
    let record = self[node]
    if record.flags.contains(.isVerbatim), record.link != 0 { return KeyHash(value: record.link) }
    return withText(of: node) { KeyHash($0) }
  }

  /// Whether a scalar's text is exactly these bytes.
  func text(of node: UInt32, equals other: borrowing Span<UInt8>) -> Bool {
    let record = self[node]
    guard record.kind == .scalar else { return false }
    let isVerbatim = record.flags.contains(.isVerbatim)
    let range = isVerbatim ? record.verbatimBytes : decoded.range(Int(record.link))
    guard range.count == other.count else { return false }
    let bytes = isVerbatim ? source.bytes.span : decoded.bytes.span
    let text = bytes.extracting(range)
    for offset in text.indices where text[offset] != other[offset] { return false }
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
