internal import CLibYAML

/// Reads sources into trees.
package enum YAMLReader {
  /// Reads all documents of a source, as far as they can be read.
  ///
  /// A mistake doesn't throw: it is one of the tree's problems, and what stands before it is kept.
  package static func read(_ source: SourceText, limits: YAMLLimits = YAMLLimits()) -> YAMLTree {
    var builder = TreeBuilder(source: source, limits: limits)
    guard source.bytes.count <= limits.fileBytes else {
      let start = source.textStart
      builder.problems.append(
        YAMLProblem(
          kind: .fileLimit(bytes: limits.fileBytes), range: ByteRange(start, start)))
      return builder.tree(cut: start)
    }
    var end = source.bytes.count
    if let defect = source.defect {
      builder.problems.append(
        YAMLProblem(kind: .encoding(defect.kind), range: defect.range))
      end = Int(defect.range.start)
      while end > source.textStart, source.bytes[end - 1] != 0x0A { end -= 1 }
    }
    let cut = read(upTo: end, into: &builder)
    return builder.tree(cut: cut ?? source.defect.map { Int($0.range.start) })
  }

  /// Feeds a builder from libyaml; gives the offset behind which nothing was read, if it stopped.
  private static func read(upTo end: Int, into builder: inout TreeBuilder) -> Int? {
    var parser = EventParser(
      source: builder.source, end: end, scalarLimit: builder.limits.scalarBytes)
    while parser.next() {
      let event = unsafe parser.event
      switch unsafe event.pointee.type {
      case YAML_SCALAR_EVENT:
        unsafe builder.scalar(event)
      case YAML_MAPPING_START_EVENT:
        unsafe builder.startCollection(.mapping, event)
      case YAML_SEQUENCE_START_EVENT:
        unsafe builder.startCollection(.sequence, event)
      case YAML_MAPPING_END_EVENT, YAML_SEQUENCE_END_EVENT:
        unsafe builder.endCollection(event, end: end)
      case YAML_ALIAS_EVENT:
        unsafe builder.alias(event)
      case YAML_DOCUMENT_START_EVENT:
        unsafe builder.startDocument(event)
      case YAML_DOCUMENT_END_EVENT:
        builder.endDocument()
      case YAML_STREAM_END_EVENT:
        if builder.source.defect != nil { builder.closeAtDefect(end: end) }
        return nil
      default:
        break
      }
      if let stop = builder.stop {
        builder.closeAll()
        return stop
      }
      parser.eventEnded(at: builder.lastEnd)
    }
    if let offset = parser.oversizedScalar {
      builder.exceedScalarLimit(at: offset)
      return offset
    }
    return builder.fail(parser.failure, end: end)
  }
}
