/// Begins work on another thread, and gives what waits for its end.
package typealias WorkBeside = @Sendable (_ work: @escaping @Sendable () -> Void) -> () -> Void

/// Reads sources into trees.
package enum YAMLReader {
  /// Reads all documents of a source, as far as they can be read.
  ///
  /// A mistake doesn't throw: it is one of the tree's problems, and what stands before it is kept.
  ///
  /// - Parameter beside: where it is given, a part of a long source may be read there.
  package static func read(
    _ source: SourceText, limits: YAMLLimits = YAMLLimits(), beside: WorkBeside? = nil
  ) -> YAMLTree {
    guard source.bytes.count <= limits.fileBytes else {
      let start = source.textStart
      var builder = TreeBuilder(source: source, limits: limits, from: start, to: start)
      builder.problems.append(
        YAMLProblem(
          kind: .fileLimit(bytes: limits.fileBytes), range: ByteRange(start, start)))
      return builder.tree(cut: start)
    }
    if let beside, case let cuts = ListCut.cuts(of: source), !cuts.isEmpty,
      let tree = SharedReading.tree(of: source, limits: limits, cuts: cuts, beside: beside)
    {
      return tree
    }
    return readInOnePiece(source, limits: limits)
  }

  private static func readInOnePiece(_ source: SourceText, limits: YAMLLimits) -> YAMLTree {
    var end = source.bytes.count
    if let defect = source.defect {
      end = Int(defect.range.start)
      while end > source.textStart, source.bytes[end - 1] != 0x0A { end -= 1 }
    }
    var reading = Reading(source, upTo: end, limits: limits)
    if let defect = source.defect {
      reading.builder.problems.append(
        YAMLProblem(kind: .encoding(defect.kind), range: defect.range))
    }
    switch reading.run() {
    case .cut(let offset): return reading.builder.tree(cut: offset)
    case .sourceEnd, .listEnd:
      return reading.builder.tree(cut: source.defect.map { Int($0.range.start) })
    }
  }
}
