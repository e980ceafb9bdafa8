import YAMLSource

/// A value that YAML's versions read differently.
enum AmbiguousScalar {
  static let rule = Rule(
    "ambiguous-scalar", .error, "A value that older YAML reads in another way.",
    explanation: """
      YAML 1.1 and YAML 1.2 read some plain values differently: `yes`, `no`, `on` and `off` were \
      booleans once, `012` was ten, and `1.0` is no integer. Manifests are YAML 1.2, so such a \
      value would be text, or another number than its author thinks. Where a key wants a boolean \
      or a whole number, these are refused instead of being guessed at.
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          requiresExternalPower: yes
          retry: {maxAttempts: 012}

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          requiresExternalPower: true
          retry: {maxAttempts: 12}

      """)

  static func boolean(
    _ field: Field, wants expectation: String, text: String, meaning: Bool, at range: ByteRange
  ) -> Finding {
    Finding(
      rule, at: range, field.name, expected: expectation, found: "the text '\(text)'",
      hint: "write \(meaning)", replacement: "\(meaning)")
  }

  static func integer(
    _ text: String, meanings: [Int], for field: Field, at range: ByteRange
  ) -> Finding {
    let reading = text.contains("_") ? "as a number" : "as octal"
    let hint =
      switch meanings.count {
      case 0: "write '\(field.example)'"
      case 1: "write \(meanings[0])"
      default: "write \(meanings[0]), or \(meanings[1]) if octal is meant"
      }
    return Finding(
      rule, at: range, field.name, expected: field.type.expectation,
      found: "'\(text.shortened)', which only YAML 1.1 reads \(reading)", hint: hint,
      replacement: meanings.count == 1 ? String(meanings[0]) : nil)
  }

  static func float(_ text: String, for field: Field, at range: ByteRange) -> Finding {
    let whole = Double(text).flatMap { Int(exactly: $0) }
    return Finding(
      rule, at: range, field.name, expected: field.type.expectation,
      found: "the number \(text.shortened)",
      hint: whole.map { "write \($0)" } ?? "write '\(field.example)'",
      replacement: whole.map { String($0) })
  }
}
