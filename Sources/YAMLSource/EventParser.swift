internal import CLibYAML

/// Owns one libyaml parser, the event it fills and the input it reads from.
@safe struct EventParser: ~Copyable {
  /// What libyaml asks for while it is in the middle of a token. Offsets are those of the source.
  struct Input {
    let bytes: [UInt8]
    var end: Int
    let scalarLimit: Int
    /// Asked at the end for a later one, if there is any.
    let further: () -> Int?
    /// What libyaml is given in front of the source's bytes.
    var lead: ContiguousArray<UInt8>
    var position: Int
    /// The end of the last event: whatever is longer than the limit behind it is one scalar.
    var eventEnd: Int
    /// Where a scalar begins that is longer than the limit, once one was met.
    var oversizedScalar: Int?

    /// libyaml reads ahead by its two buffers, which belong to no scalar yet.
    static let readAhead = 128 << 10

    /// Copies what comes next; nil when a scalar exceeds the limit.
    mutating func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int? {
      if !lead.isEmpty {
        let count = unsafe buffer.update(fromContentsOf: lead)
        lead = []
        return count
      }
      if position - eventEnd > scalarLimit + Self.readAhead, exceedsLimit() { return nil }
      if position == end, let later = further() { end = later }
      let count = min(buffer.count, end - position)
      unsafe bytes.withUnsafeBufferPointer { source in
        guard count > 0, let target = buffer.baseAddress,
          let base = source.baseAddress
        else { return }
        unsafe target.update(from: base + position, count: count)
      }
      position += count
      return count
    }

    /// Moves `eventEnd` over comments and blank lines and says whether a scalar is left behind it.
    private mutating func exceedsLimit() -> Bool {
      var index = eventEnd
      var isComment = false
      while index < position {
        switch bytes[index] {
        case 0x0A, 0x0D: isComment = false
        case _ where isComment, 0x20, 0x09: break
        case UInt8(ascii: "#"): isComment = true
        case UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":"), UInt8(ascii: ","): break
        default:
          oversizedScalar = index
          return true
        }
        index += 1
      }
      // Inside a comment the next look has to begin at a `#`: one that stands in it will do.
      while isComment, index > eventEnd, bytes[index - 1] != UInt8(ascii: "#") { index -= 1 }
      eventEnd = isComment ? index - 1 : index
      return false
    }
  }

  private let parser: UnsafeMutablePointer<yaml_parser_t>
  let event: UnsafeMutablePointer<yaml_event_t>
  private let input: UnsafeMutablePointer<Input>
  private var holdsEvent = false

  /// Reads the text of `source` from one offset to another, as if `lead` stood in front of it.
  init(
    source: SourceText, from start: Int, to end: Int, lead: ContiguousArray<UInt8> = [],
    scalarLimit: Int, further: @escaping () -> Int? = { nil }
  ) {
    unsafe parser = .allocate(capacity: 1)
    unsafe event = .allocate(capacity: 1)
    unsafe input = .allocate(capacity: 1)
    unsafe input.initialize(
      to: Input(
        bytes: source.bytes, end: end, scalarLimit: scalarLimit, further: further, lead: lead,
        position: start, eventEnd: start))
    guard unsafe yaml_parser_initialize(parser) == 1 else { fatalError("out of memory") }
    unsafe yaml_parser_set_input(
      parser,
      { context, buffer, size, sizeRead in
        let input = unsafe context!.assumingMemoryBound(to: Input.self)
        let target = unsafe UnsafeMutableBufferPointer(start: buffer, count: size)
        guard let count = unsafe input.pointee.read(into: target) else { return 0 }
        unsafe sizeRead!.pointee = count
        return 1
      }, input)
  }

  deinit {
    if holdsEvent { unsafe yaml_event_delete(event) }
    unsafe yaml_parser_delete(parser)
    unsafe event.deallocate()
    unsafe parser.deallocate()
    unsafe input.deinitialize(count: 1)
    unsafe input.deallocate()
  }

  /// Reads the next event in place of the last; false when the source can't be read on.
  mutating func next() -> Bool {
    if holdsEvent { unsafe yaml_event_delete(event) }
    holdsEvent = unsafe yaml_parser_parse(parser, event) == 1
    return holdsEvent
  }

  /// Where the input ends, if nobody has more of it.
  var end: Int { unsafe input.pointee.end }

  /// Tells the input how far, in bytes, the events have come.
  func eventEnded(at offset: Int) { unsafe input.pointee.eventEnd = offset }

  /// The start, in bytes, of the scalar whose size made the input stop.
  var oversizedScalar: Int? { unsafe input.pointee.oversizedScalar }

  /// What libyaml says after `next` was false; marks count Unicode scalars.
  var failure: Failure {
    let state = unsafe parser.pointee
    return unsafe Failure(
      problem: state.problem.map { unsafe String(cString: $0) } ?? "it can't be read",
      problemMark: state.problem_mark.index,
      context: state.context.map { unsafe String(cString: $0) },
      contextMark: state.context == nil ? nil : state.context_mark.index)
  }

  struct Failure {
    let problem: String
    let problemMark: Int
    let context: String?
    let contextMark: Int?
  }
}
