internal import CLibYAML

/// A stretch of a source on its way through libyaml into a builder.
struct Reading: ~Copyable {
  private var parser: EventParser
  var builder: TreeBuilder

  /// Where reading came to its end.
  enum Ending {
    case sourceEnd
    /// A pause, behind an item of the outermost list.
    case listEnd
    /// A mistake or a limit; what stands behind this offset wasn't read.
    case cut(Int)
  }

  /// Where reading may pause.
  enum Pause {
    case never
    /// Where the outermost list would go on if the input did.
    case atInputEnd
    /// At the end of the outermost list, wherever it is.
    case atListEnd
  }

  /// Reads the text of a source up to an offset, and on to those that `further` then gives.
  init(
    _ source: SourceText, upTo end: Int, limits: YAMLLimits,
    further: @escaping () -> Int? = { nil }
  ) {
    let start = source.textStart
    builder = TreeBuilder(source: source, limits: limits, from: start, to: source.bytes.count)
    parser = EventParser(
      source: source, from: start, to: end, scalarLimit: limits.scalarBytes, further: further)
  }

  /// Reads what stands between a cut and an offset, as items of a list under a key.
  init(_ source: SourceText, behind cut: ListCut, upTo end: Int, limits: YAMLLimits) {
    builder = TreeBuilder(
      source: source, limits: limits, from: cut.line, scalar: ListCut.key.count, to: end)
    parser = EventParser(
      source: source, from: cut.line, to: end, lead: ListCut.key,
      scalarLimit: limits.scalarBytes)
  }

  /// Reads on until the input ends, something forbids it, or a pause is due.
  mutating func run(pausing: Pause = .never) -> Ending {
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
        if pausing != .never, builder.outermostList != nil,
          unsafe pausing == .atListEnd || builder.end(of: event) == parser.end
        {
          return .listEnd
        }
        unsafe builder.endCollection(event, end: parser.end)
      case YAML_MAPPING_END_EVENT:
        unsafe builder.endCollection(event, end: parser.end)
      case YAML_ALIAS_EVENT:
        unsafe builder.alias(event)
      case YAML_DOCUMENT_START_EVENT:
        unsafe builder.startDocument(event)
      case YAML_DOCUMENT_END_EVENT:
        builder.endDocument()
      case YAML_STREAM_END_EVENT:
        if builder.source.defect != nil { builder.closeAtDefect(end: parser.end) }
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
    return .cut(builder.fail(parser.failure, end: parser.end))
  }

  /// Reads on behind the end of the list at which `run` paused.
  mutating func resume() -> Ending {
    unsafe builder.endCollection(parser.event, end: parser.end)
    return run()
  }
}
