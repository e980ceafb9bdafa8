/// One value of a tree, by its place in the tree's arena.
@usableFromInline package struct YAMLNode: Hashable, Comparable, Sendable {
  @usableFromInline let index: UInt32

  @inlinable init(index: UInt32) { self.index = index }

  @inlinable package static func < (left: Self, right: Self) -> Bool { left.index < right.index }
}

/// What a node is. Scalars carry no type here: `5`, `yes` and `x` are all text with a style.
@usableFromInline package enum YAMLKind: UInt8, Sendable {
  case scalar
  case sequence
  case mapping
  case alias
  /// A value that couldn't be read: behind a syntax error, or an alias without a target. It is
  /// already reported, so nothing more is to be said about it.
  case unread
}

/// How a scalar is written.
@usableFromInline package enum YAMLScalarStyle: UInt8, Sendable {
  case plain
  case singleQuoted
  case doubleQuoted
  case literal
  case folded
}

/// The record of one node: 16 bytes, in the order of the file, children right behind their parent.
///
/// What decoding asks of each node is inlined into the modules that read trees: there are hundreds
/// of thousands of nodes, and a call costs more than the answer.
@usableFromInline struct NodeRecord: Sendable {
  @usableFromInline var start: UInt32
  @usableFromInline var end: UInt32
  /// Collections: the index behind the last descendant. Aliases: the target. Scalars that stand in
  /// the source as they mean: the hash of a key's text, otherwise the number of their decoded text.
  @usableFromInline var link: UInt32
  @usableFromInline var kind: YAMLKind
  @usableFromInline var style: YAMLScalarStyle
  @usableFromInline var flags: Flags
  @usableFromInline var tag: UInt8

  @inlinable var isCollection: Bool { kind == .sequence || kind == .mapping }

  /// Where a verbatim scalar's text stands, without its quotes.
  @inlinable var verbatimBytes: Range<Int> {
    let quote: UInt32 = style == .plain ? 0 : 1
    return Int(start + quote)..<Int(end - quote)
  }

  @usableFromInline struct Flags: OptionSet, Sendable {
    @usableFromInline let rawValue: UInt8

    @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The scalar's text is its bytes in the source, without quotes.
    @inlinable static var isVerbatim: Flags { Flags(rawValue: 1) }
    /// Reading stopped inside this collection: what is missing may stand behind the cut.
    @inlinable static var isCut: Flags { Flags(rawValue: 2) }
    /// `[…]` or `{…}`.
    @inlinable static var isFlow: Flags { Flags(rawValue: 4) }
    /// An anchor names this node.
    @inlinable static var isAnchored: Flags { Flags(rawValue: 8) }
  }
}
