/// One value of a tree, by its place in the tree's arena.
package struct YAMLNode: Hashable, Comparable, Sendable {
  let index: UInt32

  package static func < (left: Self, right: Self) -> Bool { left.index < right.index }
}

/// What a node is. Scalars carry no type here: `5`, `yes` and `x` are all text with a style.
package enum YAMLKind: UInt8, Sendable {
  case scalar
  case sequence
  case mapping
  case alias
  /// A value that couldn't be read: behind a syntax error, or an alias without a target. It is
  /// already reported, so nothing more is to be said about it.
  case unread
}

/// How a scalar is written.
package enum YAMLScalarStyle: UInt8, Sendable {
  case plain
  case singleQuoted
  case doubleQuoted
  case literal
  case folded
}

/// The record of one node: 16 bytes, in the order of the file, children right behind their parent.
struct NodeRecord {
  var start: UInt32
  var end: UInt32
  /// Collections: the index behind the last descendant. Aliases: the target. Scalars that stand in
  /// the source as they mean: the hash of a key's text, otherwise the number of their decoded text.
  var link: UInt32
  var kind: YAMLKind
  var style: YAMLScalarStyle
  var flags: Flags
  var tag: UInt8

  var isCollection: Bool { kind == .sequence || kind == .mapping }

  /// Where a verbatim scalar's text stands, without its quotes.
  var verbatimBytes: Range<Int> {
    let quote: UInt32 = style == .plain ? 0 : 1
    return Int(start + quote)..<Int(end - quote)
  }

  struct Flags: OptionSet {
    let rawValue: UInt8
    /// The scalar's text is its bytes in the source, without quotes.
    static let isVerbatim = Flags(rawValue: 1)
    /// Reading stopped inside this collection: what is missing may stand behind the cut.
    static let isCut = Flags(rawValue: 2)
    /// `[…]` or `{…}`.
    static let isFlow = Flags(rawValue: 4)
    /// An anchor names this node.
    static let isAnchored = Flags(rawValue: 8)
  }
}
