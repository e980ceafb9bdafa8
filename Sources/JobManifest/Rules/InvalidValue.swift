import JobModel
import YAMLSource

/// A value of the right type that its key doesn't know.
enum InvalidValue {
  static let rule = Rule(
    "invalid-value", .error, "A value that its key doesn't know.",
    explanation: """
      The value has the right type, but the key doesn't know it: a word that isn't in its list, \
      an empty text, a version that this program can't read. The message says which values there \
      are.
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          network: wifi

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          network: unmetered

      """)

  static func word(
    _ text: String, of field: Field, words: [ValueType.Word], at range: ByteRange
  ) -> Finding {
    if field.id == .network, text.folded == "none" {
      return Finding(
        rule, at: range,
        "'none' would mean to run only without a network, which can't be asked for",
        hint: "write 'notRequired' if the job needs no network")
    }
    let expected = ValueType.list(words.map { "'\($0.text)'" })
    let found = "the text '\(text.shortened)'"
    let borrowed = words.first { $0.borrowed.contains { $0.folded == text.folded } }?.text
    let near = borrowed ?? SpellingDistance.nearest(to: text, among: words.map(\.text))
    guard let near else {
      return Finding(rule, at: range, field.name, expected: expected, found: found)
    }
    // A word from elsewhere may be meant otherwise: only a spelling is mended without asking.
    return Finding(
      rule, at: range, field.name, expected: expected, found: found,
      hint: "did you mean '\(near)'?",
      replacement: borrowed == nil
        ? SpellingDistance.onlyNearest(to: text, among: words.map(\.text)) : nil)
  }

  static func version(_ value: Int, at range: ByteRange) -> Finding {
    Finding(
      rule, at: range, "'version': expected the format's version, 1, found the number \(value)",
      hint: "write 1")
  }

  static func empty(_ field: Field, at range: ByteRange) -> Finding {
    Finding(
      rule, at: range, "'\(field.name)' is empty", hint: "write '\(field.example)'")
  }

  static func homeFolder(_ field: Field, at range: ByteRange) -> Finding {
    Finding(
      rule, at: range, "'~' and '$' aren't expanded in '\(field.name)'",
      hint: "write the path in full, or relative to this file's folder")
  }

  /// SB7: a continued task is a person's wish and is never skipped in silence.
  static func skipOfContinued(at range: ByteRange) -> Finding {
    Finding(
      rule, at: range,
      "'strategy': expected 'queue' or 'fail' for a continuedProcessing job, found 'skip'",
      hint: "write 'queue' to wait, or 'fail' to be refused at once")
  }

  /// A word near the one that stands for no duration.
  static func nearWord(_ word: String, of field: Field, text: String, at range: ByteRange)
    -> Finding
  {
    Finding(
      rule, at: range, field.name, expected: field.type.expectation,
      found: "the text '\(text.shortened)'", hint: "did you mean '\(word)'?", replacement: word)
  }

  static func variableName(_ name: String, at range: ByteRange) -> Finding {
    Finding(
      rule, at: range,
      name.isEmpty
        ? "'environment': a variable needs a name"
        : "'environment': the name of a variable can't hold '=', and '\(name.shortened)' does",
      hint: "write 'NAME: value'")
  }
}
