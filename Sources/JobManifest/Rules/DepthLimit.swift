import YAMLSource

/// Lists and mappings nested deeper than any manifest.
enum DepthLimit {
  static let rule = Rule(
    "depth-limit", .error, "Lists and mappings nested deeper than is read.",
    isIgnorable: false,
    explanation: """
      Lists and mappings stand in each other more than 64 levels deep. No manifest needs that; \
      it is mostly a bracket that was repeated by accident, or a file made to make readers fail. \
      Reading stops there.
      """,
    bad: nil,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          x-notes: [[1], [2]]

      """)

  static func finding(_ depth: Int, at range: ByteRange) -> Finding {
    Finding(
      rule, at: range, "nested deeper than \(depth) levels", hint: "nest less: reading stopped here"
    )
  }
}
