/// One positional argument of a command, as the table declares it.
package struct Argument: Hashable, Sendable {
  /// How many times it may stand.
  package enum Presence: Hashable, Sendable {
    case required
    case optional
    /// None or more; only as the last one.
    case repeated
  }

  package var name: String
  package var kind: ValueKind
  package var presence: Presence
  package var summary: String

  package init(_ name: String, _ kind: ValueKind, _ presence: Presence, _ summary: String) {
    self.name = name
    self.kind = kind
    self.presence = presence
    self.summary = summary
  }
}
