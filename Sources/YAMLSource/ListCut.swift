/// A line in a source at which an item of its outermost list seems to begin.
struct ListCut {
  /// Below this a thread costs more than it saves.
  static let leastBytes = 256 << 10
  /// The two threads meet where one has read a piece of its own to the end: a few of them even out
  /// what they are slowed down by.
  private static let pieceBytes = 64 << 10
  private static let mostPieces = 16
  /// How far behind a place an item is looked for: jobs are shorter.
  private static let reach = 16 << 10
  /// What stands in front of a piece for the key of the list: one without any text.
  static let key = ContiguousArray("?\n:\n".utf8)

  /// Where the line begins.
  let line: Int
  /// Where the item's dash stands.
  let dash: Int

  /// The line at an offset, if it holds a dash behind nothing but spaces.
  init?(line: Int, in source: SourceText) {
    // The marks of the key that stands in front have to be somewhere.
    guard line >= source.textStart + Self.key.count else { return nil }
    var dash = line
    while dash < source.bytes.count, source.bytes[dash] == UInt8(ascii: " ") { dash += 1 }
    guard dash + 1 < source.bytes.count, source.bytes[dash] == UInt8(ascii: "-"),
      source.bytes[dash + 1] == UInt8(ascii: " ") || source.bytes[dash + 1] == 0x0A
    else { return nil }
    self.line = line
    self.dash = dash
  }

  /// Cuts a long source into pieces of about the same length; none where it is short, or where no list
  /// is found in its middle.
  static func cuts(of source: SourceText) -> [ListCut] {
    let count = source.bytes.count
    guard count >= leastBytes, source.defect == nil else { return [] }
    // The items of the outermost list are those that are indented least.
    let indentation = candidates(from: count / 2, in: source).map(\.indentation).min()
    let pieces = min(count / pieceBytes, mostPieces)
    var cuts: [ListCut] = []
    for number in 1..<pieces {
      let place = count / pieces * number
      let cut = candidates(from: place, in: source).first { $0.indentation == indentation }
      if let cut, cut.line > cuts.last?.line ?? 0 { cuts.append(cut) }
    }
    return cuts
  }

  private static func candidates(
    from offset: Int, in source: SourceText
  ) -> some Sequence<ListCut> {
    (offset..<min(offset + reach, source.bytes.count)).lazy
      .filter { source.isLineStart($0) }
      .compactMap { ListCut(line: $0, in: source) }
  }

  private var indentation: Int { dash - line }

  /// Whether a list that begins at an offset has its items in the column of this one.
  func isAligned(with list: Int, in source: SourceText) -> Bool {
    let start = list - indentation
    return start >= source.textStart && source.isLineStart(start)
      && source.bytes[start..<list].allSatisfy { $0 == UInt8(ascii: " ") }
  }
}
