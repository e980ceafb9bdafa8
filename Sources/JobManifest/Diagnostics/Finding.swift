import YAMLSource

/// What a rule has found in one source, before it is known in which job it stands.
struct Finding {
  struct Note {
    var range: ByteRange
    var message: String
  }

  var rule: Rule
  var range: ByteRange
  var message: String
  var hint: String?
  var notes: [Note] = []
  /// What the range should read instead, where only one thing can be meant.
  var replacement: String?

  init(
    _ rule: Rule, at range: ByteRange, _ message: String, hint: String? = nil,
    notes: [Note] = [], replacement: String? = nil
  ) {
    self.rule = rule
    self.range = range
    self.message = message
    self.hint = hint
    self.notes = notes
    self.replacement = replacement
  }

  /// A value that isn't what its key takes: all such findings speak alike.
  init(
    _ rule: Rule, at range: ByteRange, _ key: String, expected: String, found: String,
    hint: String? = nil, replacement: String? = nil
  ) {
    self.init(
      rule, at: range, "'\(key)': expected \(expected), found \(found)", hint: hint,
      replacement: replacement)
  }
}

/// Gathers diagnostics; the same one at the same place counts once, however many aliases lead
/// there.
final class DiagnosticCollector {
  private struct Place: Hashable {
    let source: Int
    let start: UInt32
    let rule: String
    var message: String
  }

  private(set) var diagnostics: [Diagnostic] = []
  private var places: Set<Place> = []

  /// Adds a diagnostic; behind an alias, what was found there already is none, whichever job it was
  /// said of.
  func add(_ diagnostic: Diagnostic, behindAlias: Bool = false) {
    var place = Place(
      source: diagnostic.source, start: diagnostic.range.start, rule: diagnostic.rule.name,
      message: "")
    var isNew = places.insert(place).inserted
    if !behindAlias {
      place.message = diagnostic.message
      isNew = places.insert(place).inserted
    }
    if isNew { diagnostics.append(diagnostic) }
  }
}
