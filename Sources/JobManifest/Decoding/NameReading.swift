import JobModel
import YAMLSource

// Words, names, identifiers, cron expressions and time zones.
extension ValueReader {
  /// Reports a text that is none of a field's words.
  func word(
    _ field: Field, _ words: [ValueType.Word], _ value: YAMLNode, _ written: YAMLNode
  ) -> Setting.Content {
    guard isText(field, value, written) else { return .unusable }
    reporter.report(
      InvalidValue.word(
        tree.text(of: value), of: field, words: words, at: tree.range(of: value)),
      about: written, under: field.name)
    return .unusable
  }

  func name(_ field: Field, _ value: YAMLNode, _ written: YAMLNode) -> Setting.Content {
    guard isText(field, value, written) else { return .unusable }
    let text = tree.text(of: value)
    let range = tree.range(of: value)
    if text.allSatisfy(\.isWhitespace) {
      reporter.report(InvalidValue.empty(field, at: range), about: written, under: field.name)
      return .unusable
    }
    if case .path = field.type, text.hasPrefix("~") || text.contains("$") {
      reporter.report(InvalidValue.homeFolder(field, at: range), about: written, under: field.name)
      return .unusable
    }
    return .text
  }

  func identifier(
    _ field: Field, _ value: YAMLNode, _ written: YAMLNode
  ) -> Setting.Content {
    let range = tree.range(of: value)
    let isWellFormed = tree.withText(of: value) { IdentifierText.isWellFormed($0) }
    guard !isWellFormed, let mistake = IdentifierText.check(tree.text(of: value)) else {
      if case .appIdentifier = field.type, tree.lastByte(of: value) == UInt8(ascii: "*") {
        reporter.report(
          WildcardForm.kind(at: range), about: written, under: field.name)
        return .unusable
      }
      return .text
    }
    if case .misplacedWildcard = mistake {
      reporter.report(
        WildcardForm.misplacedStar(mistake, at: range), about: written, under: field.name)
    } else {
      reporter.report(
        InvalidIdentifier.finding(mistake, of: field, at: range), about: written, under: field.name)
    }
    return .unusable
  }

  func cron(_ field: Field, _ value: YAMLNode, _ written: YAMLNode) -> Setting.Content {
    guard isText(field, value, written) else { return .unusable }
    let text = tree.text(of: value)
    if crons[text] != nil { return .text }
    switch CronExpression.parse(text) {
    case .success(let expression):
      crons[text] = expression
      return .text
    case .failure(let mistake):
      var range = tree.range(of: value)
      if let offset = mistake.offset {
        let length = mistake.length ?? text.utf8.count - offset
        range = tree.range(inTextOf: value, at: offset, length: length)
      }
      reporter.report(
        InvalidCron.finding(mistake, of: field, at: range), about: written, under: field.name)
      return .unusable
    }
  }

  func timeZone(_ field: Field, _ value: YAMLNode, _ written: YAMLNode) -> Setting.Content {
    guard isText(field, value, written) else { return .unusable }
    let name = tree.text(of: value)
    if zones[name] != nil { return .text }
    guard let zone = environment.timeZone(name) else {
      reporter.report(
        UnknownTimeZone.finding(
          name, known: environment.timeZoneNames(), at: tree.range(of: value)),
        about: written, under: field.name)
      return .unusable
    }
    zones[name] = zone
    return .text
  }

  /// The expression behind a setting that was read as one.
  func cron(_ setting: Setting) -> CronExpression? {
    if case .text = setting.content { crons[tree.text(of: setting.value)] } else { nil }
  }

  /// The zone behind a setting that was read as one.
  func timeZone(_ setting: Setting) -> TimeZoneRules? {
    if case .text = setting.content { zones[tree.text(of: setting.value)] } else { nil }
  }
}
