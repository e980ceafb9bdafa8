import YAMLSource

/// Aliases that stand for more than any manifest holds.
enum AliasLimit {
  static let rule = Rule(
    "alias-limit", .error, "Aliases that stand for far more than the file holds.",
    isIgnorable: false)

  static func expansion(_ factor: Int, at range: ByteRange) -> Finding {
    Finding(
      rule, at: range,
      "with its aliases written out this document would be more than \(factor) times as long",
      hint: "use fewer aliases of aliases")
  }

  static func selfReference(_ name: String, at range: ByteRange) -> Finding {
    Finding(
      rule, at: range, "alias '*\(name.shortened)' stands inside the value that it stands for",
      hint: "it would never end: remove it")
  }
}
