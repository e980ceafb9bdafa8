/// Whether and how text is coloured.
package struct TextStyle: Hashable, Sendable {
  /// A way to set text off; the raw value is its ECMA-48 code.
  package enum Tint: String, Sendable {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
  }

  /// Whether escape sequences are written at all.
  package var isColored: Bool

  package init(isColored: Bool) {
    self.isColored = isColored
  }

  /// What `--color` says, else NO_COLOR, else FORCE_COLOR, else whether a terminal reads; the two
  /// variables count when they aren't empty.
  package init(choice: String?, environment: [String: String], isTerminal: Bool) {
    let isDumb = environment["TERM"] == "dumb"
    func isSet(_ name: String) -> Bool { environment[name].map { !$0.isEmpty } ?? false }
    isColored =
      switch choice {
      case "always": true
      case "never": false
      default: !isSet("NO_COLOR") && (isSet("FORCE_COLOR") || isTerminal && !isDumb)
      }
  }

  /// The text, set off where this style is coloured.
  package func apply(_ tint: Tint?, to text: String) -> String {
    guard isColored, let tint, !text.isEmpty else { return text }
    return "\u{1B}[\(tint.rawValue)m\(text)\u{1B}[0m"
  }
}
