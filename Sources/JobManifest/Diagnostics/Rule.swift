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
package struct Rule: Hashable, Sendable {
  /// Kebab-case, as it stands in brackets behind a message and in an ignore comment.
  package let name: String
  package let severity: Severity
  /// What a finding of this rule means, in one sentence.
  package let summary: String
  /// Whether a comment may silence it: what can't be read can't be waved through.
  package let isIgnorable: Bool

  init(_ name: String, _ severity: Severity, _ summary: String, isIgnorable: Bool = true) {
    self.name = name
    self.severity = severity
    self.summary = summary
    self.isIgnorable = isIgnorable
  }
}
