import YAMLSource

/// A key that stands twice in one mapping.
enum DuplicateKey {
  static let rule = Rule("duplicate-key", .error, "A key that stands twice in one mapping.")

  static func finding(_ name: String, first: ByteRange, at range: ByteRange) -> Finding {
    Finding(
      rule, at: range, "duplicate key '\(name.shortened)'", hint: "remove one of the two",
      notes: [Finding.Note(range: first, message: "first here")])
  }
}
