internal import CLibYAML

/// A stretch of a source on its way through libyaml into a builder.
struct Reading: ~Copyable {
  private var parser: EventParser
  var builder: TreeBuilder
  private let end: Int

  /// Where reading came to its end.
  enum Ending {
    case sourceEnd
    /// Behind the last item of the outermost list.
    case listEnd
    /// A mistake or a limit; what stands behind this offset wasn't read.
    case cut(Int)
  }

  /// Reads the text of a source up to an offset.
  init(_ source: SourceText, upTo end: Int, limits: YAMLLimits) {
    let start = source.textStart
    builder = TreeBuilder(source: source, limits: limits, from: start)
    parser = EventParser(source: source, from: start, to: end, scalarLimit: limits.scalarBytes)
    self.end = end
  }

  /// Reads what stands behind a cut, as items of a list under a key.
  init(_ source: SourceText, behind cut: ListCut, limits: YAMLLimits) {
    builder = TreeBuilder(
      source: source, limits: limits, from: cut.line, scalar: ListCut.key.count)
    end = source.bytes.count
    parser = EventParser(
      source: source, from: cut.line, to: end, lead: ListCut.key,
      scalarLimit: limits.scalarBytes)
  }

  /// Reads on until the source ends, something forbids it, or the outermost list ends in `places`.
  mutating func run(pausingIn places: Range<Int> = 0..<0) -> Ending {
    while parser.next() {
      let event = unsafe parser.event
      switch unsafe event.pointee.type {
      case YAML_SCALAR_EVENT:
        unsafe builder.scalar(event)
      case YAML_MAPPING_START_EVENT:
        unsafe builder.startCollection(.mapping, event)
      case YAML_SEQUENCE_START_EVENT:
        unsafe builder.startCollection(.sequence, event)
      case YAML_SEQUENCE_END_EVENT:
        if builder.outermostList != nil, unsafe places.contains(builder.end(of: event)) {
          return .listEnd
        }
        unsafe builder.endCollection(event, end: end)
      case YAML_MAPPING_END_EVENT:
        unsafe builder.endCollection(event, end: end)
      case YAML_ALIAS_EVENT:
        unsafe builder.alias(event)
      case YAML_DOCUMENT_START_EVENT:
        unsafe builder.startDocument(event)
      case YAML_DOCUMENT_END_EVENT:
        builder.endDocument()
      case YAML_STREAM_END_EVENT:
        if builder.source.defect != nil { builder.closeAtDefect(end: end) }
        return .sourceEnd
      default:
        break
      }
      if let stop = builder.stop {
        builder.closeAll()
        return .cut(stop)
      }
      parser.eventEnded(at: builder.lastEnd)
    }
    if let offset = parser.oversizedScalar {
      builder.exceedScalarLimit(at: offset)
      return .cut(offset)
    }
    return .cut(builder.fail(parser.failure, end: end))
  }

  /// Reads on behind the end of the list at which `run` paused.
  mutating func resume() -> Ending {
    unsafe builder.endCollection(parser.event, end: end)
    return run()
  }
}
