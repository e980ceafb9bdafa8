import YAMLSource

/// Lists and mappings nested deeper than any manifest.
enum DepthLimit {
  static let rule = Rule(
    "depth-limit", .error, "Lists and mappings nested deeper than is read.", isIgnorable: false)

  static func finding(_ depth: Int, at range: ByteRange) -> Finding {
    Finding(rule, at: range, "nested deeper than \(depth) levels", hint: "reading stopped here")
  }
}
