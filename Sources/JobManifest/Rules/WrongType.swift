import JobModel
import YAMLSource

/// A value of another type than its key wants.
enum WrongType {
  static let rule = Rule(
    "wrong-type", .error, "A value of another type than its key wants.",
    explanation: """
      The key wants another type of value: a list and not a text, a mapping and not a number. \
      Values are never converted in silence, except that a plain `5` or `true` may stand where \
      text is wanted. A command is a list, so that no shell has to guess where an argument ends; \
      for a line of shell there is `shell`.
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: sqlite3 mail.db VACUUM

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: [sqlite3, mail.db, VACUUM]

      """)

  static func finding(
    _ field: String, wants expectation: String, found: String, at range: ByteRange,
    hint: String? = nil, replacement: String? = nil
  ) -> Finding {
    Finding(
      rule, at: range, field, expected: expectation, found: found, hint: hint,
      replacement: replacement)
  }

  /// A command as one text, which may mean two things.
  static func command(_ text: String, of field: Field, at range: ByteRange) -> Finding {
    let list = words(of: text).map { $0.allSatisfy(isPlain) ? $0 : JSONValue.quoted($0) }
      .joined(separator: ", ")
    return Finding(
      rule, at: range, field.name, expected: field.type.expectation,
      found: "the text '\(text.shortened)'",
      hint: text.count > 60
        ? "write 'command: [program, argument]', or 'shell: \"…\"' for a line of shell"
        : "write 'command: [\(list)]' or 'shell: \(JSONValue.quoted(text))'")
  }

  /// The words of a line as a shell would see them, as far as blanks and quotes go.
  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in text {
      if character == quote {
        quote = nil
      } else if quote == nil, character == "\"" || character == "'" {
        quote = character
        word = word ?? ""
      } else if quote == nil, character.isWhitespace {
        word.map { words.append($0) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    word.map { words.append($0) }
    return words
  }

  private static func isPlain(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "./_-=".contains(character)
  }

  static func key(at range: ByteRange) -> Finding {
    Finding(
      rule, at: range, "a key is text, and this one is a list or mapping",
      hint: "write a name and ':' behind it")
  }

  static func merge(at range: ByteRange) -> Finding {
    Finding(
      rule, at: range, "'<<' takes in a mapping, or a list of mappings",
      hint: "write '<<: *name' with the name of an anchor on a mapping")
  }

  static func manifest(found: String, at range: ByteRange) -> Finding {
    Finding(
      rule, at: range, "expected a manifest, a mapping of keys, found \(found)",
      hint: "begin with 'version: 1' and 'jobs:'")
  }
}
