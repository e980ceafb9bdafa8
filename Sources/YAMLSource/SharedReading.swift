import Synchronization

/// Reads a long source from both ends: the caller from the first byte on, another thread the pieces
/// behind its cuts from the last on, until the two meet.
///
/// A manifest's bulk is one list under a key at the left edge. In front of one of its items nothing is
/// open in libyaml but that list and the mapping around it, so behind any other key the items
/// from there on read as they do in their place. The pieces are one tree only where that proved true,
/// and where nothing in them points out of them; else the source is read anew, in one piece.
enum SharedReading {
  /// The whole tree; nil where the source has to be read in one piece.
  static func tree(
    of source: SourceText, limits: YAMLLimits, cuts: [ListCut], beside: WorkBeside
  ) -> YAMLTree? {
    let pieces = Pieces(of: source, cuts, limits)
    let wait = beside { pieces.readFromEnd() }
    var reading = Reading(source, upTo: cuts[0].dash, limits: limits) { pieces.takeFirst() }
    let ending = reading.run(pausing: .atInputEnd)
    wait()
    return pieces.tree(behind: &reading, ending)
  }
}

/// The pieces of a source behind its cuts, each taken by one of two threads.
private final class Pieces: Sendable {
  private struct State {
    /// Those between the two are nobody's yet.
    var untaken: Range<Int>
    /// What was read from the end on, the last piece first.
    var read: [Piece] = []
  }

  private let source: SourceText
  private let cuts: [ListCut]
  private let limits: YAMLLimits
  private let state: Mutex<State>

  init(of source: SourceText, _ cuts: [ListCut], _ limits: YAMLLimits) {
    self.source = source
    self.cuts = cuts
    self.limits = limits
    state = Mutex(State(untaken: cuts.indices))
  }

  /// Takes the first piece that nobody has, and gives its end; nil where none is left.
  func takeFirst() -> Int? {
    state.withLock { $0.untaken.popFirst() }.map(end)
  }

  func readFromEnd() {
    while let number = state.withLock({ $0.untaken.popLast() }) {
      let piece = Piece(of: source, behind: cuts[number], upTo: end(of: number), limits)
      piece.read(isLast: number == cuts.count - 1)
      state.withLock { $0.read.append(piece) }
    }
  }

  private func end(of number: Int) -> Int {
    number + 1 < cuts.count ? cuts[number + 1].dash : source.bytes.count
  }

  /// Joins what one thread has read from the start on with what the other has read from the end on.
  func tree(behind first: inout Reading, _ ending: Reading.Ending) -> YAMLTree? {
    let read = state.withLock { $0.read }
    switch ending {
    case .sourceEnd where read.isEmpty:
      return first.builder.tree(cut: nil)
    case .listEnd where read.isEmpty:
      guard case .sourceEnd = first.resume() else { return nil }
      return first.builder.tree(cut: nil)
    case .listEnd:
      for piece in read.dropFirst().reversed() {
        guard piece.append(to: &first.builder) else { return nil }
      }
      return read[0].finish(behind: &first.builder)
    case .sourceEnd, .cut:
      return nil
    }
  }
}

/// A piece that begins with an item of the list and is read by itself, as items behind another key.
private final class Piece: Sendable {
  private let cut: ListCut
  private let reading: Mutex<Reading>

  init(of source: SourceText, behind cut: ListCut, upTo end: Int, _ limits: YAMLLimits) {
    self.cut = cut
    reading = Mutex(Reading(source, behind: cut, upTo: end, limits: limits))
  }

  /// Reads the items up to the end of the piece; of the last one up to the end of their list.
  func read(isLast: Bool) {
    _ = reading.withLock { $0.run(pausing: isLast ? .atListEnd : .atInputEnd) }
  }

  /// Adds the items to a list; false where the piece isn't what it was taken for.
  func append(to builder: inout TreeBuilder) -> Bool {
    reading.withLock { builder.adopt($0.builder, at: cut) }
  }

  /// Adds the items to a list and reads on behind it, to the end of the source.
  func finish(behind builder: inout TreeBuilder) -> YAMLTree? {
    reading.withLock { reading in
      guard builder.adopt(reading.builder, at: cut) else { return nil }
      // Not a copy: what two hold would be copied at the next change.
      swap(&builder, &reading.builder)
      guard case .sourceEnd = reading.resume() else { return nil }
      return reading.builder.tree(cut: nil)
    }
  }
}
