import Synchronization

/// Reads a long source in two halves, one of them on another thread.
///
/// A manifest's bulk is one list under a key at the left edge. In front of one of its items nothing is
/// open in libyaml but that list and the mapping around it, so behind any other key the items
/// from there on read as they do in their place. The halves are one tree only where that proved true,
/// and where nothing in the second points out of it; else the source is read anew, in one piece.
enum HalvedReading {
  /// The second half, lent to whoever reads it.
  private final class SecondHalf: Sendable {
    let reading: Mutex<Reading>

    init(_ source: SourceText, behind cut: ListCut, limits: YAMLLimits) {
      reading = Mutex(Reading(source, behind: cut, limits: limits))
    }

    /// Reads the items up to the end of their list.
    func readItems() {
      _ = reading.withLock { $0.run(pausingIn: 0..<Int.max) }
    }
  }

  /// The whole tree; nil where the source has to be read in one piece.
  static func tree(
    of source: SourceText, limits: YAMLLimits, cutAt cut: ListCut, beside: WorkBeside
  ) -> YAMLTree? {
    let second = SecondHalf(source, behind: cut, limits: limits)
    let wait = beside { second.readItems() }
    var first = Reading(source, upTo: cut.dash, limits: limits)
    let ending = first.run(pausingIn: cut.dash..<cut.dash + 1)
    wait()
    guard case .listEnd = ending, first.builder.isOpen(at: cut) else { return nil }
    return second.reading.withLock { second in
      guard second.builder.outermostList != nil, second.builder.isSelfContained else { return nil }
      first.builder.adopt(second.builder)
      // Not a copy: what two hold would be copied at the next change.
      swap(&first.builder, &second.builder)
      guard case .sourceEnd = second.resume() else { return nil }
      return second.builder.tree(cut: nil)
    }
  }
}

/// A line in a source at which an item of its outermost list seems to begin.
struct ListCut {
  /// Below this a thread costs more than it saves.
  static let leastBytes = 256 << 10
  /// How far from the middle is looked: jobs are shorter.
  private static let reach = 16 << 10
  /// What stands in front of the second half for the key of the list: one without any text.
  static let key = ContiguousArray("?\n:\n".utf8)

  /// Where the line begins.
  let line: Int
  /// Where the item's dash stands.
  let dash: Int

  /// The line near the middle of a source: of those that begin an item, the one that is indented least.
  ///
  /// The second part is the smaller: its thread has to start, on a processor that did something else.
  init?(inMiddleOf source: SourceText) {
    guard source.bytes.count >= Self.leastBytes, source.defect == nil else { return nil }
    let middle = source.bytes.count / 100 * 55
    var best: ListCut?
    for offset in middle..<middle + Self.reach where source.isLineStart(offset) {
      guard let cut = ListCut(line: offset, in: source) else { continue }
      if best.map({ cut.indentation < $0.indentation }) ?? true { best = cut }
    }
    guard let best else { return nil }
    self = best
  }

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

  private var indentation: Int { dash - line }

  /// Whether a list that begins at an offset has its items in the column of this one.
  func isAligned(with list: Int, in source: SourceText) -> Bool {
    let start = list - indentation
    return start >= source.textStart && source.isLineStart(start)
      && source.bytes[start..<list].allSatisfy { $0 == UInt8(ascii: " ") }
  }
}
