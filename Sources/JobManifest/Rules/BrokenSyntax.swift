import YAMLSource

/// Text that isn't YAML.
///
/// libyaml says what its parser missed; a person needs to hear what to change. Its context is
/// where a construct began, which is the useful place when the construct never ends.
enum BrokenSyntax {
  static let rule = Rule(
    "syntax", .error, "Text that isn't YAML.",
    isIgnorable: false,
    explanation: """
      The text isn't YAML, so what it was meant to say can't be known. What was read before the \
      mistake is still checked, and the summary says from which line on nothing was. Most often \
      a quote, a bracket or a space behind a colon is missing, or a line is indented differently \
      from its neighbours.
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          description: "Empty the cache
          command: ["true"]

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          description: "Empty the cache"
          command: ["true"]

      """)

  static func finding(
    problem: String, context: String?, contextRange: ByteRange?, at range: ByteRange,
    in source: SourceText
  ) -> Finding {
    if problem == "found character that cannot start any token" {
      return strayCharacter(at: range, in: source)
    }
    if problem == "found incompatible YAML document" {
      let line = source.text(in: ByteRange(Int(range.start), source.bytes.count))
      let directive = line.prefix { !$0.isNewline }
      return Finding(
        rule, at: range.extended(by: directive.utf8.count - 1),
        "'\(String(directive).shortened)' isn't supported",
        hint: "write '%YAML 1.2', or remove the line")
    }
    guard let advice = advice[problem] else {
      let story = [context, problem].compactMap(\.self).joined(separator: ": ")
      return Finding(rule, at: range, "this isn't YAML: \(story)")
    }
    let spansLines =
      contextRange.map {
        source.text(in: ByteRange(start: $0.start, end: range.start)).contains(where: \.isNewline)
      }
      ?? false
    switch advice.place {
    case .problem:
      return Finding(rule, at: range, advice.message, hint: advice.hint)
    case .start:
      return Finding(rule, at: contextRange ?? range, advice.message, hint: advice.hint)
    case .startIfLinesApart:
      let place = spansLines ? contextRange ?? range : range
      return Finding(rule, at: place, advice.message, hint: advice.hint)
    case .problemBeside(let note):
      let notes = contextRange.map { [Finding.Note(range: $0, message: note)] } ?? []
      return Finding(rule, at: range, advice.message, hint: advice.hint, notes: notes)
    }
  }

  private static func strayCharacter(at range: ByteRange, in source: SourceText) -> Finding {
    let character = source.text(in: range)
    guard character != "\t" else {
      return Finding(rule, at: range, "a tab may not indent YAML", hint: "use spaces")
    }
    return Finding(
      rule, at: range, "'\(character)' can't begin a value", hint: "put the value in quotes")
  }

  private enum Place {
    case problem
    case start
    /// Where the construct began if that is on an earlier line, otherwise the problem's.
    case startIfLinesApart
    case problemBeside(note: String)
  }

  private struct Advice {
    let message: String
    let hint: String?
    let place: Place

    init(_ message: String, _ hint: String?, at place: Place = .problem) {
      self.message = message
      self.hint = hint
      self.place = place
    }
  }

  private static let advice: [String: Advice] = [
    "found unexpected end of stream": Advice(
      "this quote is never closed", "close it on the same line", at: .start),
    "found unexpected document indicator": Advice(
      "this quote isn't closed before the next document", "close it on the same line", at: .start),
    "found unknown escape character": Advice(
      "this escape is unknown in double quotes", "write '\\\\' for a backslash, or single quotes"),
    "did not find expected hexdecimal number": Advice(
      "this escape needs hexadecimal digits", "as in \"\\u00e9\""),
    "found invalid Unicode character escape code": Advice(
      "this escape is no character", "use a code up to 10FFFF"),
    "could not find expected ':'": Advice(
      "this is no 'key: value' pair", "is a ':' and a space missing?", at: .start),
    "found unexpected ':'": Advice(
      "a ':' can't stand here", "write a space behind it, or put the value in quotes"),
    "block sequence entries are not allowed in this context": Advice(
      "a list can't begin here", "begin it on a line of its own"),
    "mapping keys are not allowed in this context": Advice(
      "a key can't stand here", "begin it on a line of its own"),
    "mapping values are not allowed in this context": Advice(
      "a second ': ' can't stand in this line", "put the value in quotes"),
    "found a tab character where an indentation space is expected": Advice(
      "a tab may not indent YAML", "use spaces"),
    "found a tab character that violates indentation": Advice(
      "a tab may not indent YAML", "use spaces"),
    "found an indentation indicator equal to 0": Advice(
      "the indentation of a block of text is at least 1", nil),
    "did not find expected comment or line break": Advice(
      "nothing but a comment can stand behind this", "begin the text on the next line"),
    "did not find expected alphabetic or numeric character": Advice(
      "a name of letters and digits belongs behind '&' or '*'",
      "put the value in quotes if a text is meant"),
    "found undefined tag handle": Advice(
      "this tag is unknown", "remove it, or put the value in quotes"),
    "did not find expected whitespace or line break": Advice(
      "a space belongs behind the tag", "put the value in quotes if a text is meant"),
    "did not find expected tag URI": Advice(
      "this tag has no name", "put the value in quotes if a text is meant"),
    "found duplicate %YAML directive": Advice("a second %YAML line", "remove one of the two"),
    "found duplicate %TAG directive": Advice("a second %TAG line", "remove one of the two"),
    "found unknown directive name": Advice("this line is unknown to YAML", "remove it"),
    "did not find expected <document start>": Advice(
      "this doesn't belong to the document above", "indent it like the rest, or write '---' first"),
    "did not find expected node content": Advice(
      "a value is missing here", "is a ',' or ':' too many?"),
    "did not find expected key": Advice(
      "this line is indented differently from the keys of its mapping",
      "align it with the other keys", at: .problemBeside(note: "the mapping begins here")),
    "did not find expected '-' indicator": Advice(
      "this line is no item of the list above",
      "begin it with '- ', or align it with what it belongs to",
      at: .problemBeside(note: "the list begins here")),
    "did not find expected ',' or ']'": Advice(
      "this list isn't closed", "write ',' between items and ']' at the end",
      at: .startIfLinesApart),
    "did not find expected ',' or '}'": Advice(
      "this mapping isn't closed", "write ',' between pairs and '}' at the end",
      at: .startIfLinesApart),
  ]
}
