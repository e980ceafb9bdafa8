import JobManifest
import JobModel

/// What `bgrun explain` knows: keys of the manifest, built-in handlers, rules of `validate`, gates and
/// reasons.
enum Topics {
  /// Every name, sorted; keys inside a group by their path.
  static var names: [String] {
    let keys = FieldID.allCases.map(FieldTable.path)
    let handlers = BuiltInHandlers.guides.map(\.name)
    return Set(keys + handlers + RuleTable.all.map(\.name) + Reason.allCases.map(\.rawValue))
      .sorted()
  }

  /// The keys that a name means: by their path, else every one that is called so.
  private static func keys(named name: String) -> [FieldID] {
    let exact = FieldID.allCases.filter { FieldTable.path(of: $0) == name }
    return exact.isEmpty ? FieldID.allCases.filter { FieldTable.field($0).name == name } : exact
  }

  /// What stands in the terminal, a section for each thing of that name; none for an unknown one.
  static func sections(named name: String, style: TextStyle, width: Int) -> [String] {
    var sections = keys(named: name).map { key($0, style, width) }
    if let handler = BuiltInHandlers.guides.first(where: { $0.name == name }) {
      sections.append(text(of: handler, style, width))
    }
    if let rule = RuleTable.rule(named: name) { sections.append(text(of: rule, style, width)) }
    if let reason = Reason(rawValue: name) { sections.append(text(of: reason, style, width)) }
    return sections
  }

  private static func key(_ id: FieldID, _ style: TextStyle, _ width: Int) -> String {
    let field = FieldTable.field(id)
    var text = title(FieldTable.path(of: id), "a key of the manifest", style)
    text += paragraph(field.summary, width)
    var facts: [String] = ["Value: \(field.type.expectation)."]
    if let builtIn = field.builtIn { facts.append("Default: \(builtIn).") }
    let kinds = JobKind.allCases.filter { field.effect.kinds.contains($0) }
    if kinds.count < JobKind.allCases.count {
      facts.append("Only for jobs of kind \(kinds.map(\.rawValue).joined(separator: " and ")).")
    }
    if field.effect.needsCommand { facts.append("Only with command or shell.") }
    if field.mayBeDefault { facts.append("May stand under defaults.") }
    return text + "\n" + paragraph(facts.joined(separator: " "), width) + "\n"
      + example(field.example)
  }

  private static func text(of rule: Rule, _ style: TextStyle, _ width: Int) -> String {
    var text = title(rule.name, "a rule of validate, \(rule.severity.rawValue)", style)
    text += paragraph(rule.summary, width) + "\n"
    text += paragraph(rule.explanation.filter { $0 != "`" }, width)
    if let bad = rule.bad { text += "\nWrong:\n" + example(bad) }
    return text + "\nRight:\n" + example(rule.good)
  }

  private static func text(of handler: HandlerGuide, _ style: TextStyle, _ width: Int) -> String {
    title(handler.name, "a handler of bgrun itself", style) + paragraph(handler.meaning, width)
      + "\n" + example(handler.example)
  }

  private static func text(of reason: Reason, _ style: TextStyle, _ width: Int) -> String {
    let guide = ReasonGuide(reason)
    return title(reason.rawValue, "a gate or reason", style) + paragraph(guide.meaning, width)
      + "\n" + example(guide.example)
  }

  private static func title(_ name: String, _ what: String, _ style: TextStyle) -> String {
    "\(style.apply(.bold, to: name)): \(what)\n\n"
  }

  private static func paragraph(_ text: String, _ width: Int) -> String {
    LineWrap.lines(text, width: width).map { $0 + "\n" }.joined()
  }

  private static func example(_ text: String) -> String {
    text.split(separator: "\n").map { "    \($0)\n" }.joined()
  }
}
