/// What may stand behind a key: it drives decoding, and what messages say was expected.
package enum ValueType: Sendable {
  /// The format's version, the integer 1.
  case version
  case boolean
  case integer(ClosedRange<Int>)
  case percent
  case text
  /// A name that isn't empty, of a handler or a program.
  case name
  case word([Word])
  /// A duration of at least and at most these, or a word that stands for none.
  case duration(from: Duration = .zero, to: Duration? = nil, orWord: String? = nil)
  /// A boolean, or how long nobody must have used the machine.
  case idleness
  case size
  /// A size, or a mapping of path and size.
  case freeSpace
  case path
  case jobIdentifier
  case appIdentifier
  case cron
  case timeZone
  /// A program and its arguments.
  case arguments
  case identifiers
  case words([Word])
  /// A mapping of text, in which `inherit` is a boolean.
  case environment
  /// A mapping of anything.
  case parameters
  case group(FieldScope)
  case defaults
  case jobs

  /// One of the words that a field knows.
  package final class Word: Sendable {
    package let text: String
    /// What people write elsewhere for the same.
    package let borrowed: [String]
    let bytes: ContiguousArray<UInt8>

    init(_ text: String, borrowed: [String] = []) {
      self.text = text
      bytes = ContiguousArray(text.utf8)
      self.borrowed = borrowed
    }
  }

  /// The keys of a mapping of this type, where the format fixes them.
  var group: FieldScope? {
    switch self {
    case .group(let scope): scope
    case .freeSpace: .freeSpace
    default: nil
    }
  }

  /// What is expected, as it reads behind "expected".
  package var expectation: String {
    switch self {
    case .version: "the whole number 1"
    case .boolean: "true or false"
    case .integer(let range) where range.upperBound == .max:
      "a whole number, at least \(range.lowerBound)"
    case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .percent: "a whole number of percent from 0 to 100"
    case .text: "text"
    case .name: "a name"
    case .word(let words): Self.list(words.map { "'\($0.text)'" })
    case .duration(_, _, nil): "a duration such as 30s, 15m or 1h30m"
    case .duration(_, _, let word?): "a duration such as 30s or 15m, or '\(word)'"
    case .idleness: "true, false or a duration such as 5m"
    case .size: "a size such as 512MiB or 10GB"
    case .freeSpace: "a size such as 10GB, or {path: …, size: …}"
    case .path: "a path"
    case .jobIdentifier, .appIdentifier: "an identifier such as com.example.cleanup"
    case .cron: "a cron expression such as \"0 3 * * *\""
    case .timeZone: "the name of a time zone such as Europe/Madrid"
    case .arguments: "a list of text: the program and its arguments"
    case .identifiers: "a list of identifiers"
    case .words(let words): "a list of " + Self.list(words.map { "'\($0.text)'" })
    case .environment: "a mapping of variables and their text"
    case .parameters: "a mapping of parameters"
    case .group(let scope): "a mapping of " + Self.list(scope.fields.map(\.name), "and")
    case .defaults: "a mapping of job keys"
    case .jobs: "a list of jobs"
    }
  }

  static func list(_ items: [String], _ conjunction: String = "or") -> String {
    guard let last = items.last, items.count > 1 else { return items.first ?? "" }
    return items.dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }
}
