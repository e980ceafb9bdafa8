/// How much a finding weighs.
package enum Severity: String, Comparable, CaseIterable, Sendable {
  case note
  case warning
  case error

  package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .note: 0
    case .warning: 1
    case .error: 2
    }
  }
}

/// One thing that `validate` looks for; each stands in a file of its own under `Rules`.
package final class Rule: Hashable, Sendable {
  /// Kebab-case, as it stands in brackets behind a message and in an ignore comment.
  package let name: String
  package let severity: Severity
  /// What a finding of this rule means, in one sentence.
  package let summary: String
  /// Whether a comment may silence it: what can't be read can't be waved through.
  package let isIgnorable: Bool
  /// Whether it depends on the machine what the rule finds: a comment that ignores it is needed on one
  /// and finds nothing on another.
  package let dependsOnMachine: Bool
  /// Why it is a mistake and what to do about it: one paragraph of Markdown.
  package let explanation: String
  /// A manifest in which only this rule finds something; nil where it would be too large to show.
  package let bad: String?
  /// The same manifest mended.
  package let good: String

  init(
    _ name: String, _ severity: Severity, _ summary: String, isIgnorable: Bool = true,
    explanation: String, bad: String?, good: String, dependsOnMachine: Bool = false
  ) {
    self.name = name
    self.severity = severity
    self.summary = summary
    self.isIgnorable = isIgnorable
    self.explanation = explanation
    self.bad = bad
    self.good = good
    self.dependsOnMachine = dependsOnMachine
  }

  package static func == (left: Rule, right: Rule) -> Bool { left.name == right.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
