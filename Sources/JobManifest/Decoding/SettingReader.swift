import YAMLSource

/// Reads a mapping of keys that the format knows into settings.
struct SettingReader {
  let values: ValueReader
  private let reporter: FindingReporter
  private let pairs: PairReader
  private let tree: YAMLTree

  init(values: ValueReader) {
    self.values = values
    reporter = values.reporter
    tree = values.tree
    pairs = PairReader(reporter: values.reporter)
  }

  /// Reads the keys of `mapping` and of the groups in it, and adds them to `settings`.
  ///
  /// `defaults` are those that a null may take back; nil where a null means nothing.
  func read(
    _ mapping: YAMLNode, scope: FieldScope, defaults: JobSettings?, into settings: inout JobSettings
  ) {
    let index = FieldTable.index(of: scope)
    pairs.forEach(in: mapping) { key, written in
      guard let field = index.field(for: key, in: tree) else {
        return reportStranger(key, in: scope)
      }
      add(field, key, written, defaults: defaults, to: &settings)
    }
  }

  private func add(
    _ field: Field, _ key: YAMLNode, _ written: YAMLNode, defaults: JobSettings?,
    to settings: inout JobSettings
  ) {
    // What a merge key brings counts only where the mapping doesn't say it itself.
    if reporter.alias != nil, settings.written.contains(field.id) { return }
    let value = tree.resolved(written)
    let content: Setting.Content
    if let group = field.group, tree.kind(of: value) == .mapping {
      reporter.within(.key(field.name)) {
        reporter.following(written) {
          read(value, scope: group, defaults: defaults, into: &settings)
        }
      }
      content = tree.isCut(value) ? .unusable : .mapping
    } else if let defaults, takesBack(field, defaults), isNull(value) {
      content = .builtIn
      if let group = field.group {
        for member in group.fields {
          settings.add(
            Setting(
              field: member.id, key: key, written: written, value: value, content: .builtIn))
        }
      }
    } else {
      content = values.content(of: field, written)
    }
    settings.add(
      Setting(field: field.id, key: key, written: written, value: value, content: content))
  }

  private func isNull(_ value: YAMLNode) -> Bool {
    tree.kind(of: value) == .scalar && !values.isFilled(value)
  }

  /// Whether there is a default that a null would take back.
  private func takesBack(_ field: Field, _ defaults: JobSettings) -> Bool {
    if defaults.written.contains(field.id) { return true }
    guard !defaults.all.isEmpty, let group = field.group else { return false }
    return group.fields.contains { defaults.written.contains($0.id) }
  }

  /// Reports a key that the scope doesn't have, unless it is the author's own.
  func reportStranger(_ key: YAMLNode, in scope: FieldScope) {
    let name = tree.text(of: key)
    if name.hasPrefix("x-"), scope == .job || scope == .topLevel || scope == .defaults { return }
    let range = tree.range(of: key)
    let place = placeName(scope)
    let finding =
      MisplacedKey.finding(name, at: range, in: scope, place: place)
      ?? UnknownKey.finding(name, at: range, in: scope, place: place)
    reporter.report(finding, under: name)
  }

  private func placeName(_ scope: FieldScope) -> String {
    switch scope {
    case .topLevel: "at the top level"
    case .defaults: "in 'defaults'"
    case .job: "in \(reporter.jobName)"
    case .schedule, .retry, .progress, .output, .freeSpace, .concurrency, .pendingLimits,
      .lifecycle:
      "in '\(scope.name ?? "")'" + (reporter.job == nil ? "" : " of \(reporter.jobName)")
    }
  }
}
