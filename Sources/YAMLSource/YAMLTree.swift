/// What one source holds: nodes with byte ranges in one arena, and what is wrong with it as YAML.
///
/// Text isn't copied where the source already reads as it means; a `String` is made when asked for.
@usableFromInline package final class YAMLTree: Sendable {
  @inlinable package var source: SourceText { arena.source }
  /// The root of each document; a document without any content has none.
  package let documents: [YAMLDocument]
  /// In the order of the file.
  package let problems: [YAMLProblem]
  /// From here on the source wasn't read, because of one of the problems.
  package let cut: Int?

  @usableFromInline let arena: NodeArena
  private let tags: [String]
  private let anchors: [UInt32: ByteRange]

  init(
    arena: NodeArena, documents: [YAMLDocument], problems: [YAMLProblem], cut: Int?,
    tags: [String], anchors: [UInt32: ByteRange]
  ) {
    self.arena = arena
    self.documents = documents
    self.problems = problems
    self.cut = cut
    self.tags = tags
    self.anchors = anchors
  }

  @inlinable package func kind(of node: YAMLNode) -> YAMLKind { arena[node.index].kind }

  @inlinable package func style(of node: YAMLNode) -> YAMLScalarStyle { arena[node.index].style }

  @inlinable package func range(of node: YAMLNode) -> ByteRange { arena.range(of: node.index) }

  /// Reading stopped inside this collection, so that what seems missing may only be unread.
  @inlinable package func isCut(_ node: YAMLNode) -> Bool {
    arena[node.index].flags.contains(.isCut)
  }

  /// Written as `[…]` or `{…}`.
  @inlinable package func isFlow(_ node: YAMLNode) -> Bool {
    arena[node.index].flags.contains(.isFlow)
  }

  /// A plain scalar without any text or tag: `key:` with nothing behind it.
  @inlinable package func isEmptyPlain(_ node: YAMLNode) -> Bool {
    let record = arena[node.index]
    return record.kind == .scalar && record.style == .plain && record.start == record.end
  }

  /// A scalar that stands in the source as it means, has no tag and is longer than any word for null:
  /// it can only be text. One look tells it of nearly all.
  @inlinable package func isLongText(_ node: YAMLNode) -> Bool {
    let record = arena[node.index]
    return record.flags.contains(.isVerbatim) && record.end &- record.start > 4 && record.tag == 0
  }

  /// A mapping's key that takes in the pairs of another mapping: `<<`, not quoted.
  @inlinable package func isMergeKey(_ node: YAMLNode) -> Bool {
    let record = arena[node.index]
    return record.end &- record.start == 2 && record.kind == .scalar && record.style == .plain
      && source.bytes[Int(record.start)] == UInt8(ascii: "<")
      && source.bytes[Int(record.start) + 1] == UInt8(ascii: "<")
  }

  /// The explicit tag in full, such as `tag:yaml.org,2002:int`; nil where none is written.
  package func tag(of node: YAMLNode) -> String? {
    let number = arena[node.index].tag
    return number == 0 ? nil : tags[Int(number) - 1]
  }

  @inlinable package func hasTag(_ node: YAMLNode) -> Bool { arena[node.index].tag != 0 }

  /// The node that an alias stands for; any other node is itself.
  @inlinable package func resolved(_ node: YAMLNode) -> YAMLNode {
    let record = arena[node.index]
    return record.kind == .alias ? YAMLNode(index: record.link) : node
  }

  /// The place of the `&name` that gave a node its anchor.
  package func anchorRange(of node: YAMLNode) -> ByteRange? { anchors[node.index] }

  // MARK: Text

  /// Lends the text of a scalar, escapes and folding resolved.
  @inlinable package func withText<Result, Failure: Error>(
    of node: YAMLNode, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try arena.withText(of: node.index, body)
  }

  /// How many bytes the text of a scalar has.
  @inlinable package func textLength(of node: YAMLNode) -> Int { arena.textLength(of: node.index) }

  /// The last byte of a scalar's text; nil where it is empty.
  @inlinable package func lastByte(of node: YAMLNode) -> UInt8? { arena.lastByte(of: node.index) }

  /// The text of a scalar as a string.
  package func text(of node: YAMLNode) -> String { arena.text(of: node.index) }

  /// Whether a scalar's text is exactly these bytes.
  @inlinable package func text(of node: YAMLNode, equals other: ContiguousArray<UInt8>) -> Bool {
    arena.text(of: node.index, equals: other.span)
  }

  /// Whether a scalar's text is a part of these bytes.
  @inlinable package func text(
    of node: YAMLNode, equals bytes: ContiguousArray<UInt8>, in range: Range<Int>
  ) -> Bool {
    arena.text(of: node.index, equals: bytes.span.extracting(range))
  }

  /// The range of the byte at `offset` of a scalar's text, `length` bytes long; the whole scalar
  /// where escapes or folding have moved the text.
  package func range(inTextOf node: YAMLNode, at offset: Int, length: Int) -> ByteRange {
    let record = arena[node.index]
    let whole = range(of: node)
    guard record.flags.contains(.isVerbatim) else { return whole }
    return whole.part(at: offset + (record.style == .plain ? 0 : 1), length: length)
  }

  /// The hash of a scalar's text; it was taken while reading where the scalar is a mapping's key.
  @inlinable package func keyHash(of node: YAMLNode) -> KeyHash { arena.keyHash(of: node.index) }

  /// Whether an offset lies inside a scalar: a `#` there begins no comment.
  package func isInScalar(_ offset: Int) -> Bool {
    var low: UInt32 = 0
    var high = arena.count
    while low < high {
      let middle = (low + high) / 2
      if Int(arena[middle].start) <= offset { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return false }
    let record = arena[low - 1]
    return record.kind == .scalar && Int(record.end) > offset
  }

  // MARK: Children

  /// The children of a sequence, or of a mapping as key, value, key, value.
  @inlinable package func children(of node: YAMLNode) -> YAMLChildren {
    let record = arena[node.index]
    guard record.isCollection else {
      return YAMLChildren(tree: self, next: node.index, end: node.index)
    }
    return YAMLChildren(tree: self, next: node.index + 1, end: record.link)
  }

  /// Calls `body` with each child of a sequence, and its number.
  @inlinable package func forEachItem(
    of node: YAMLNode, _ body: (_ item: YAMLNode, _ number: Int) -> Void
  ) {
    let record = arena[node.index]
    guard record.kind == .sequence else { return }
    var index = node.index + 1
    var number = 0
    while index < record.link {
      body(YAMLNode(index: index), number)
      index = arena.following(index)
      number += 1
    }
  }

  /// Calls `body` with each key of a mapping and the value behind it.
  @inlinable package func forEachPair(
    of node: YAMLNode, _ body: (_ key: YAMLNode, _ value: YAMLNode) -> Void
  ) {
    let record = arena[node.index]
    guard record.kind == .mapping else { return }
    var index = node.index + 1
    while index < record.link {
      let value = arena.following(index)
      guard value < record.link else { return }
      body(YAMLNode(index: index), YAMLNode(index: value))
      index = arena.following(value)
    }
  }

  /// The first child of a collection that isn't empty.
  @inlinable package func firstChild(of node: YAMLNode) -> YAMLNode? {
    let record = arena[node.index]
    guard record.isCollection, node.index + 1 < record.link else { return nil }
    return YAMLNode(index: node.index + 1)
  }

  @inlinable func following(_ index: UInt32) -> UInt32 { arena.following(index) }
}

/// One document of a source; `---` begins another.
package struct YAMLDocument: Sendable {
  package let root: YAMLNode?
  /// Where the document's content begins.
  package let start: Int
  /// The document was read to its end and its aliases are within bounds.
  package let isComplete: Bool
}

/// The children of a collection, in order.
@usableFromInline package struct YAMLChildren: Sequence, IteratorProtocol {
  @usableFromInline let tree: YAMLTree
  @usableFromInline var position: UInt32
  @usableFromInline let end: UInt32

  @inlinable init(tree: YAMLTree, next: UInt32, end: UInt32) {
    self.tree = tree
    position = next
    self.end = end
  }

  @inlinable package mutating func next() -> YAMLNode? {
    guard position < end else { return nil }
    defer { position = tree.following(position) }
    return YAMLNode(index: position)
  }
}
