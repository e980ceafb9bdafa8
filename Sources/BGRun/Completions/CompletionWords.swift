/// What a shell offers for a value.
enum CompletionWords {
  case words([String])
  case files
  case folders
  /// The lines that a command line prints when a key is pressed.
  case lines(ofCommand: String)
  case nothing

  /// The identifiers that the store here knows, one a line.
  private static let identifiers =
    #"bgrun status --json 2>/dev/null | sed -n 's/.*"identifier":"\([^"]*\)".*/\1/p'"#

  init(_ kind: ValueKind, commands: [Command]) {
    self =
      switch kind {
      case .choice(let words): .words(words)
      case .path: .files
      case .folder: .folders
      case .identifier, .identifierOrRun: .lines(ofCommand: Self.identifiers)
      case .topic: .lines(ofCommand: "bgrun explain 2>/dev/null")
      case .text, .run, .count, .duration, .parameter, .progress: .nothing
      }
  }
}

extension String {
  /// In single quotes, as the shells read it.
  var shellQuoted: String { "'" + replacing("'", with: #"'\''"#) + "'" }

  /// A summary up to the end of its first sentence or its colon, without the full stop.
  var firstClause: String {
    var text = self
    for mark in [". ", ": "] {
      if let range = text.firstRange(of: mark) { text = String(text[..<range.lowerBound]) }
    }
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}
