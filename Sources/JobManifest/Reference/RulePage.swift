/// The page of a rule in `docs/rules`, made from the rule's own description.
package struct RulePage {
  private let rule: Rule

  package init(_ rule: Rule) {
    self.rule = rule
  }

  /// - Parameter output: what `validate` says about the rule's bad example.
  package func markdown(output: String?) -> String {
    var text = "# \(rule.name)\n\n**\(rule.severity.rawValue)**: \(rule.summary)\n\n"
    text += rule.explanation + "\n"
    if !rule.isIgnorable { text += "\nNo comment can silence this rule.\n" }
    if let bad = rule.bad {
      text += "\n## Wrong\n\n" + Self.fenced(bad, "yaml")
      if let output { text += "\n" + Self.fenced(output, "text") }
    }
    return text + "\n## Right\n\n" + Self.fenced(rule.good, "yaml")
  }

  /// The table of all rules.
  package static func index(of rules: [Rule]) -> String {
    var text = """
      # Rules

      What `bgrun validate` looks for. Each message ends with its rule in brackets; `bgrun explain RULE`
      shows these pages in the terminal. An error is a finding (exit code 1), a warning only with
      `--strict`, a note never.

      | rule | severity | finds |
      |---|---|---|

      """
    for rule in rules {
      text += "| [\(rule.name)](\(rule.name).md) | \(rule.severity.rawValue) | \(rule.summary) |\n"
    }
    return text
  }

  private static func fenced(_ text: String, _ language: String) -> String {
    "```\(language)\n\(text)```\n"
  }
}
