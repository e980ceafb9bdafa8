import YAMLSource

/// The comments of one source that silence rules: `# bgrun: ignore[rule] reason` for its line and
/// the next, `# bgrun: ignore-file[rule]` for the file.
struct IgnoreComments {
  private struct Comment {
    let rule: String
    /// Where the rule's name stands.
    let range: ByteRange
    /// The lines that it covers; nil: the whole file.
    let lines: ClosedRange<Int>?
    var isUsed = false
  }

  private let source: Int
  private var comments: [Comment] = []
  private let lines: LineTable?

  init(tree: YAMLTree, source: Int) {
    self.source = source
    let marks = tree.source.offsets(ofCommentText: "bgrun: ignore")
      .filter { !tree.isInScalar($0) }
    guard !marks.isEmpty else {
      lines = nil
      return
    }
    let lines = LineTable(source: tree.source)
    self.lines = lines
    for mark in marks { read(at: mark, tree.source, lines) }
  }

  /// Leaves out what comments ignore, and reports those that ignore nothing.
  static func apply(_ ignores: [IgnoreComments], to diagnostics: [Diagnostic]) -> [Diagnostic] {
    guard ignores.contains(where: { !$0.comments.isEmpty }) else { return diagnostics }
    var ignores = ignores
    let kept = diagnostics.filter { !ignores[$0.source].silences($0) }
    return kept + ignores.flatMap { $0.unused() }
  }

  private mutating func silences(_ diagnostic: Diagnostic) -> Bool {
    guard diagnostic.rule.isIgnorable, let lines else { return false }
    let line = lines.line(of: Int(diagnostic.range.start))
    var isSilenced = false
    for index in comments.indices where comments[index].rule == diagnostic.rule.name {
      guard comments[index].lines?.contains(line) ?? true else { continue }
      comments[index].isUsed = true
      isSilenced = true
    }
    return isSilenced
  }

  private func unused() -> [Diagnostic] {
    comments.filter { !$0.isUsed }.compactMap { comment in
      let rule = RuleTable.rule(named: comment.rule)
      guard rule?.dependsOnMachine != true else { return nil }
      let finding = UnusedIgnore.finding(
        comment.rule, known: rule, wholeFile: comment.lines == nil, at: comment.range)
      return Diagnostic(
        finding.rule, source: source, at: finding.range, finding.message, hint: finding.hint)
    }
  }

  /// Reads `ignore[a, b]` or `ignore-file[a]` from the place of a mark on.
  private mutating func read(at mark: Int, _ source: SourceText, _ lines: LineTable) {
    let bytes = source.bytes
    let line = lines.line(of: mark)
    let end = Int(lines.range(ofLine: line).end)
    var index = mark + "bgrun: ignore".utf8.count
    let fileMark = Array("-file".utf8)
    var coversFile = false
    if bytes[index..<end].starts(with: fileMark) {
      coversFile = true
      index += fileMark.count
    }
    guard index < end, bytes[index] == UInt8(ascii: "["),
      let close = bytes[index..<end].firstIndex(of: UInt8(ascii: "]"))
    else { return }
    for name in bytes[index + 1..<close].split(separator: UInt8(ascii: ",")) {
      let trimmed = name.drop { $0 == 0x20 }
      let length = trimmed.lastIndex { $0 != 0x20 }.map { $0 + 1 - trimmed.startIndex } ?? 0
      let range = ByteRange(trimmed.startIndex, trimmed.startIndex + length)
      comments.append(
        Comment(
          rule: source.text(in: range), range: range, lines: coversFile ? nil : line...line + 1))
    }
  }
}
