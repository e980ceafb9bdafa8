import YAMLSource

/// Aliases that stand for more than any manifest holds.
enum AliasLimit {
  static let rule = Rule(
    "alias-limit", .error, "Aliases that stand for far more than the file holds.",
    isIgnorable: false,
    explanation: """
      An alias (`*name`) stands for everything behind its anchor, and aliases of aliases \
      multiply. A few lines can so stand for more than the machine can hold, and an alias inside \
      its own anchor would never end. What stands for more than a hundred times the file is \
      refused before it is written out.
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          with: &all {everything: *all}
          command: ["true"]

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          with: {everything: 1}
          command: ["true"]

      """)

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
