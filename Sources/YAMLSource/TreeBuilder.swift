internal import CLibYAML

/// Turns events into the arena of a tree; every limit and every check of YAML itself is applied
/// here, while the events arrive.
struct TreeBuilder {
  let source: SourceText
  let limits: YAMLLimits
  var problems: [YAMLProblem] = []
  /// Set when a limit forbids reading on: where.
  private(set) var stop: Int?
  /// Where the last event ended, in bytes.
  private(set) var lastEnd: Int

  private var cursor: ScalarCursor
  private var arena: NodeArena
  private var documents: [YAMLDocument] = []
  private var tags: [String] = []
  private var anchorRanges: [UInt32: ByteRange] = [:]

  // Of the document that is open.
  private var isInDocument = false
  private var documentStart = 0
  private var hasTagDirectives = false
  private var root: UInt32?
  /// What is read now, and what it stands in.
  private var top = Frame.document
  private var outer: ContiguousArray<Frame> = []
  private var keys = KeyRegister()
  private var aliases: AliasLedger

  /// A collection that is being read.
  private struct Frame {
    let node: UInt32
    let isMapping: Bool
    var expectsKey: Bool
    var lastEnd: UInt32
    var keys = KeyRegister.Seen()
    /// How many events the children stand for, aliases expanded.
    var weight: UInt64 = 2

    /// The document itself, which holds one node.
    static let document = Frame(node: .max, isMapping: false, expectsKey: false, lastEnd: 0)
    var isDocument: Bool { node == .max }
  }

  /// Builds from events whose marks count from the offset `start` on, which has the number `scalar`;
  /// `end` is where they are likely to end.
  init(source: SourceText, limits: YAMLLimits, from start: Int, scalar: Int = 0, to end: Int) {
    self.source = source
    self.limits = limits
    lastEnd = start
    cursor = ScalarCursor(source: source, from: start, scalar: scalar)
    aliases = AliasLedger(factor: limits.aliasFactor)
    arena = NodeArena(source: source)
    // Only pages that are written to cost memory, so a generous guess is free and never copies.
    arena.records.reserveCapacity(min((end - start) / 8 + 16, limits.fileBytes / 8))
    outer.reserveCapacity(limits.depth)
  }

  // MARK: Events

  mutating func startDocument(_ event: UnsafeMutablePointer<yaml_event_t>) {
    isInDocument = true
    root = nil
    top = .document
    documentStart = unsafe cursor.byteOffset(of: event.pointee.start_mark.index)
    let directives = unsafe event.pointee.data.document_start.tag_directives
    hasTagDirectives = unsafe directives.start != directives.end
    aliases = AliasLedger(factor: limits.aliasFactor)
  }

  mutating func endDocument() {
    var isBounded = true
    if let range = aliases.excess {
      problems.append(YAMLProblem(kind: .aliasLimit(factor: limits.aliasFactor), range: range))
      isBounded = false
    }
    let isCut = root.map { arena[$0].flags.contains(.isCut) } ?? false
    documents.append(
      YAMLDocument(
        root: isBounded ? root.map(YAMLNode.init) : nil, start: documentStart,
        isComplete: isBounded && !isCut && stop == nil))
    isInDocument = false
  }

  mutating func scalar(_ event: UnsafeMutablePointer<yaml_event_t>) {
    let startMark = unsafe event.pointee.start_mark
    let endMark = unsafe event.pointee.end_mark
    let start = cursor.byteOffset(of: startMark.index)
    var end = cursor.byteOffset(of: endMark.index)
    let (length, value, styleValue) = unsafe (
      event.pointee.data.scalar.length, event.pointee.data.scalar.value,
      event.pointee.data.scalar.style
    )
    let text = unsafe Span(_unsafeStart: UnsafePointer(value!), count: length)
    let style: YAMLScalarStyle
    var isVerbatim = startMark.line == endMark.line
    switch styleValue {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE:
      style = .singleQuoted
      isVerbatim = isVerbatim && length + 2 == end - start
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE:
      style = .doubleQuoted
      isVerbatim =
        isVerbatim && length + 2 == end - start
        && Self.isInSource(source.bytes.span, text, at: start + 1)
    case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE:
      style = styleValue == YAML_LITERAL_SCALAR_STYLE ? .literal : .folded
      isVerbatim = false
      // The end mark is where the next token begins.
      while end > start, source.bytes[end - 1] <= 0x20 { end -= 1 }
    default:
      style = .plain
      isVerbatim = isVerbatim && length == end - start
    }
    if length > limits.scalarBytes { return exceedScalarLimit(at: start) }
    var record = NodeRecord(
      start: UInt32(start), end: UInt32(max(start, end)), link: 0, kind: .scalar, style: style,
      flags: isVerbatim ? .isVerbatim : [], tag: 0)
    if !isVerbatim { record.link = arena.keep(text) }
    let number = arena.count
    if unsafe event.pointee.data.scalar.tag != nil {
      record.tag = unsafe tagNumber(event.pointee.data.scalar.tag)
    }
    if unsafe event.pointee.data.scalar.anchor != nil {
      record.flags.insert(.isAnchored)
      unsafe define(event.pointee.data.scalar.anchor, node: number, start: start, end: end)
      aliases.close(node: number, weight: 1)
    }
    aliases.count(1)
    var hash: KeyHash?
    if top.expectsKey {
      let keyHash = KeyHash(text)
      if isVerbatim { record.link = keyHash.value }
      hash = keyHash
    }
    arena.records.append(record)
    if let hash { register(number, target: number, text: text, hash: hash) }
    placed(number, weight: 1, end: record.end)
    lastEnd = end
  }

  mutating func startCollection(_ kind: YAMLKind, _ event: UnsafeMutablePointer<yaml_event_t>) {
    let start = unsafe cursor.byteOffset(of: event.pointee.start_mark.index)
    let end = unsafe cursor.byteOffset(of: event.pointee.end_mark.index)
    guard outer.count < limits.depth else {
      problems.append(
        YAMLProblem(kind: .depthLimit(limits.depth), range: ByteRange(start, start + 1)))
      stop = start
      return
    }
    let number = arena.count
    var record = NodeRecord(
      start: UInt32(start), end: UInt32(end), link: number + 1, kind: kind, style: .plain,
      flags: [], tag: 0)
    // The two members of the union are laid out alike.
    let properties = unsafe event.pointee.data.mapping_start
    if unsafe properties.style == YAML_FLOW_MAPPING_STYLE { record.flags.insert(.isFlow) }
    if unsafe properties.tag != nil { record.tag = unsafe tagNumber(properties.tag) }
    if unsafe properties.anchor != nil {
      record.flags.insert(.isAnchored)
      unsafe define(properties.anchor, node: number, start: start, end: end)
    }
    arena.records.append(record)
    aliases.count(2)
    outer.append(top)
    top = Frame(
      node: number, isMapping: kind == .mapping, expectsKey: kind == .mapping,
      lastEnd: UInt32(end))
    lastEnd = end
  }

  mutating func endCollection(_ event: UnsafeMutablePointer<yaml_event_t>, end: Int) {
    let mark = unsafe cursor.byteOffset(of: event.pointee.end_mark.index)
    let isFlow = arena[top.node].flags.contains(.isFlow)
    // In front of a defect every block that is still open might go on behind it.
    let isCut = source.defect != nil && !isFlow && mark >= end
    close(at: isFlow ? UInt32(mark) : nil, isCut: isCut)
    if isFlow { lastEnd = mark }
  }

  mutating func alias(_ event: UnsafeMutablePointer<yaml_event_t>) {
    let start = unsafe cursor.byteOffset(of: event.pointee.start_mark.index)
    let end = unsafe cursor.byteOffset(of: event.pointee.end_mark.index)
    let name = unsafe String(cString: event.pointee.data.alias.anchor)
    let range = ByteRange(start, end)
    var record = NodeRecord(
      start: range.start, end: range.end, link: 0, kind: .unread, style: .plain, flags: [], tag: 0)
    var weight: UInt64 = 1
    switch aliases.target(of: name) {
    case .defined(let node, let targetWeight):
      record.kind = .alias
      record.link = node
      weight = targetWeight
    case .open:
      problems.append(YAMLProblem(kind: .selfReference(name: name), range: range))
    case .unknown(let known):
      problems.append(YAMLProblem(kind: .undefinedAlias(name: name, known: known), range: range))
    }
    aliases.count(1)
    aliases.expand(to: weight, at: range)
    let number = arena.count
    arena.records.append(record)
    if top.expectsKey, record.kind == .alias, arena[record.link].kind == .scalar {
      let text = ContiguousArray(arena.text(of: record.link).utf8)
      register(number, target: record.link, text: text.span, hash: KeyHash(text.span))
    }
    placed(number, weight: weight, end: range.end)
    lastEnd = end
  }

  // MARK: Ends

  /// A node is complete: the collection that is open goes on behind it.
  private mutating func placed(_ node: UInt32, weight: UInt64, end: UInt32) {
    if top.isDocument { root = node }
    if top.isMapping { top.expectsKey.toggle() }
    top.weight = AliasLedger.sum(top.weight, weight)
    top.lastEnd = end
  }

  /// Closes the innermost collection; a block ends where its last child does.
  private mutating func close(at end: UInt32?, isCut: Bool) {
    let frame = top
    top = outer.removeLast()
    if frame.isMapping, !frame.expectsKey {
      // The key's value was never read.
      arena.records.append(
        NodeRecord(
          start: frame.lastEnd, end: frame.lastEnd, link: 0, kind: .unread, style: .plain,
          flags: [], tag: 0))
    }
    let node = frame.node
    var record = arena[node]
    record.link = arena.count
    record.end = max(record.start, end ?? frame.lastEnd)
    if isCut { record.flags.insert(.isCut) }
    arena[node] = record
    keys.forget(frame.keys)
    if record.flags.contains(.isAnchored) { aliases.close(node: node, weight: frame.weight) }
    placed(node, weight: frame.weight, end: record.end)
  }

  /// Closes everything that is still open, as cut.
  mutating func closeAll() {
    while !top.isDocument { close(at: nil, isCut: true) }
    if isInDocument {
      if let root { arena[root].flags.insert(.isCut) }
      endDocument()
    }
  }

  /// Takes back what the cut in front of a defect may have made of the last scalar.
  mutating func closeAtDefect(end: Int) {
    guard let root, let document = documents.last, document.root == YAMLNode(index: root) else {
      return
    }
    arena[root].flags.insert(.isCut)
    documents[documents.count - 1] = YAMLDocument(
      root: document.root, start: document.start, isComplete: false)
    let last = arena.count - 1
    guard arena[last].kind == .scalar else { return }
    let isEmpty = arena[last].start == arena[last].end
    let isBlock = arena[last].style == .literal || arena[last].style == .folded
    let mayGoOn = arena[last].style == .plain || isBlock
    if isEmpty
      || (mayGoOn
        && source.indentation(ofLineAt: end) > source.indentation(ofLineAt: Int(arena[last].start)))
    {
      arena[last].kind = .unread
    }
  }

  /// Records a failure of libyaml and closes what is open; gives the place where reading stopped.
  mutating func fail(_ failure: EventParser.Failure, end: Int) -> Int {
    let place = cursor.byteOffset(of: failure.problemMark)
    let isCausedByDefect = source.defect != nil && place >= end
    if !isCausedByDefect {
      let context = failure.contextMark.map { cursor.byteOffset(of: $0) }
      problems.append(
        YAMLProblem(
          kind: .syntax(
            problem: failure.problem, context: failure.context,
            contextRange: context.map { source.character(at: $0) }),
          range: source.character(at: place)))
    }
    stop = place
    closeAll()
    return place
  }

  mutating func exceedScalarLimit(at offset: Int) {
    problems.append(
      YAMLProblem(
        kind: .scalarLimit(bytes: limits.scalarBytes), range: source.character(at: offset)))
    stop = offset
    closeAll()
  }

  /// The finished tree.
  consuming func tree(cut: Int?) -> YAMLTree {
    YAMLTree(
      arena: arena, documents: documents,
      problems: problems.sorted { $0.range.start < $1.range.start }, cut: cut,
      tags: tags, anchors: anchorRanges)
  }

  // MARK: Pieces

  /// The list that is open, where it is a block and the value of a key of the outermost mapping.
  var outermostList: UInt32? {
    guard outer.count == 2, outer[1].isMapping, !outer[1].expectsKey, !top.isMapping,
      !arena[top.node].flags.contains(.isFlow)
    else { return nil }
    return top.node
  }

  /// Where an event ends, in bytes.
  mutating func end(of event: UnsafeMutablePointer<yaml_event_t>) -> Int {
    unsafe cursor.byteOffset(of: event.pointee.end_mark.index)
  }

  /// Whether the list that is open goes on at a cut, and nothing before it changes what a tag means
  /// behind it.
  private func isOpen(at cut: ListCut) -> Bool {
    guard !hasTagDirectives, let list = outermostList else { return false }
    return cut.isAligned(with: Int(arena[list].start), in: source)
      && source.isLineStart(Int(arena[outer[1].node].start))
  }

  /// Adds to the list that goes on at a cut the items that another builder has read behind it, and goes
  /// on behind them.
  ///
  /// - Returns: false where the list doesn't go on, there or at the end of the items, or where what
  ///   they hold depends on what stands before them, or is named for what comes behind.
  mutating func adopt(_ piece: TreeBuilder, at cut: ListCut) -> Bool {
    guard isOpen(at: cut), let list = piece.outermostList, piece.tags.isEmpty,
      piece.aliases.isUnused,
      // It may be another list, under a key that stands in the piece.
      Int(piece.arena[list].start) == cut.dash
    else { return false }
    arena.append(piece.arena, from: list + 1)
    problems += piece.problems
    cursor = piece.cursor
    lastEnd = piece.lastEnd
    // Two of the weight are the list's own; without aliases the rest is as many events.
    let weight = piece.top.weight - 2
    aliases.count(weight)
    top.weight = AliasLedger.sum(top.weight, weight)
    top.lastEnd = piece.top.lastEnd
    return true
  }

  // MARK: Parts

  /// Remembers a key of the mapping that is open, and reports it where it was there before;
  /// `target` is the scalar that holds the key's text.
  private mutating func register(
    _ key: UInt32, target: UInt32, text: borrowing Span<UInt8>, hash: KeyHash
  ) {
    let first = keys.firstUse(
      of: target, text: text, hash: hash, in: &top.keys, arena: arena)
    guard let first else { return }
    problems.append(
      YAMLProblem(
        kind: .duplicateKey(name: arena.text(of: target), first: arena.range(of: first)),
        range: arena.range(of: key)))
  }

  private mutating func define(
    _ name: UnsafeMutablePointer<yaml_char_t>?, node: UInt32, start: Int, end: Int
  ) {
    let name = unsafe String(cString: name!)
    aliases.define(name, node: node)
    // An anchor begins the node, or stands behind its tag.
    var offset = start
    while offset < end, source.bytes[offset] != UInt8(ascii: "&") { offset += 1 }
    anchorRanges[node] = ByteRange(offset, offset + 1 + name.utf8.count)
  }

  private mutating func tagNumber(_ name: UnsafeMutablePointer<yaml_char_t>?) -> UInt8 {
    let name = unsafe String(cString: name!)
    if let known = tags.firstIndex(of: name) { return UInt8(known + 1) }
    // Tags past the last number share it: none of them means anything here.
    if tags.count < 255 { tags.append(name) }
    return UInt8(tags.count)
  }

  /// Whether a source reads so: escapes can leave a text's length as it was.
  private static func isInSource(
    _ source: Span<UInt8>, _ text: borrowing Span<UInt8>, at offset: Int
  ) -> Bool {
    NodeArena.areEqual(text, source.extracting(offset..<offset + text.count))
  }
}
