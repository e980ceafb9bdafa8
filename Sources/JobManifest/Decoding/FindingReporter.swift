import YAMLSource

/// Turns findings into diagnostics: it knows which source, job and key are being read.
final class FindingReporter {
  let tree: YAMLTree
  let source: Int
  private let collector: DiagnosticCollector
  /// The mapping of the job that is being read, and its number in the list.
  var job: (node: YAMLNode, number: Int)?
  /// The keys and numbers that lead to the place that is being read.
  var path: [PathPart] = []
  /// The alias or merge key through which the place was reached.
  var alias: ByteRange?

  enum PathPart {
    case key(String)
    case item(Int)
  }

  init(tree: YAMLTree, source: Int, collector: DiagnosticCollector) {
    self.tree = tree
    self.source = source
    self.collector = collector
  }

  /// Reports a finding about the value or key `name`, if there is one.
  func report(_ finding: Finding, under name: String? = nil) {
    var notes = finding.notes
    if let alias {
      notes.append(Finding.Note(range: alias, message: "used here"))
    }
    collector.add(
      Diagnostic(
        finding.rule, source: source, at: finding.range, finding.message, hint: finding.hint,
        notes: notes.map { Diagnostic.Note(source: source, range: $0.range, message: $0.message) },
        fix: finding.replacement.map { Diagnostic.Fix(range: finding.range, text: $0) },
        job: jobIdentifier, path: pathText(name)),
      behindAlias: alias != nil)
  }

  /// Reports a finding about a value; where an alias stands for it, at the alias.
  func report(_ finding: Finding, about written: YAMLNode, under name: String? = nil) {
    guard tree.kind(of: written) == .alias else { return report(finding, under: name) }
    var finding = finding
    finding.range = tree.range(of: written)
    finding.replacement = nil
    if let anchor = tree.anchorRange(of: tree.resolved(written)) {
      finding.notes.append(Finding.Note(range: anchor, message: "the value stands here"))
    }
    report(finding, under: name)
  }

  /// Reads on behind an alias: what is found there is told where it stands, with a note.
  func following<Result>(_ written: YAMLNode, _ body: () -> Result) -> Result {
    guard alias == nil, tree.kind(of: written) == .alias else { return body() }
    alias = tree.range(of: written)
    defer { alias = nil }
    return body()
  }

  func within<Result>(_ part: PathPart, _ body: () -> Result) -> Result {
    path.append(part)
    defer { path.removeLast() }
    return body()
  }

  /// The identifier of the job that is being read, where it has a readable one.
  var jobIdentifier: String? {
    guard let job else { return nil }
    var children = tree.children(of: job.node)
    while let key = children.next(), let value = children.next() {
      let text = tree.resolved(value)
      if tree.kind(of: key) == .scalar, tree.kind(of: text) == .scalar,
        tree.text(of: key) == "identifier"
      {
        let identifier = tree.text(of: text)
        return identifier.isEmpty ? nil : identifier
      }
    }
    return nil
  }

  /// The job that is being read, as messages call it: "job 'com.example.cleanup'".
  var jobName: String {
    if let identifier = jobIdentifier { return "job '\(identifier.shortened)'" }
    return job.map { "job number \($0.number + 1)" } ?? "the manifest"
  }

  private func pathText(_ name: String?) -> String? {
    var text = ""
    for part in path + (name.map { [PathPart.key($0)] } ?? []) {
      switch part {
      case .key(let key): text += text.isEmpty ? key : ".\(key)"
      case .item(let number): text += "[\(number)]"
      }
    }
    return text.isEmpty ? nil : text
  }
}
