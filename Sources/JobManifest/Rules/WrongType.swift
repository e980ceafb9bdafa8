import YAMLSource

/// A value of another type than its key wants.
enum WrongType {
  static let rule = Rule("wrong-type", .error, "A value of another type than its key wants.")

  static func finding(
    _ field: String, wants expectation: String, found: String, at range: ByteRange,
    hint: String? = nil, replacement: String? = nil
  ) -> Finding {
    Finding(
      rule, at: range, "'\(field)': expected \(expectation), found \(found)", hint: hint,
      replacement: replacement)
  }

  /// A command as one text, which may mean two things.
  static func command(_ text: String, at range: ByteRange) -> Finding {
    let words = text.split(separator: " ").map { word in
      word.allSatisfy { $0.isLetter || $0.isNumber || "./_-=".contains($0) }
        ? String(word) : "\"\(word)\""
    }
    return Finding(
      rule, at: range, "'command' is a list of text: the program and its arguments",
      hint: text.count > 60
        ? "write 'command: [program, argument]', or 'shell: \"…\"' for a line of shell"
        : "write 'command: [\(words.joined(separator: ", "))]' or 'shell: \"\(text)\"'")
  }

  static func key(at range: ByteRange) -> Finding {
    Finding(rule, at: range, "a key is a text, not a list or mapping")
  }

  static func merge(at range: ByteRange) -> Finding {
    Finding(
      rule, at: range, "'<<' takes in a mapping, or a list of mappings",
      hint: "write '<<: *name' with the name of an anchor on a mapping")
  }

  static func manifest(found: String, at range: ByteRange) -> Finding {
    Finding(
      rule, at: range, "a manifest is a mapping of keys, found \(found)",
      hint: "begin with 'version: 1' and 'jobs:'")
  }
}
