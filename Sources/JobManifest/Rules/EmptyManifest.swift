import YAMLSource

/// A file in which no manifest stands.
enum EmptyManifest {
  static let rule = Rule("empty-manifest", .error, "A file in which no manifest stands.")

  static func finding(hasBytes: Bool, at range: ByteRange) -> Finding {
    Finding(
      rule, at: range,
      hasBytes ? "the file has no manifest (only comments)" : "the file has no manifest (empty)",
      hint: "begin with 'version: 1' and 'jobs:'")
  }
}
