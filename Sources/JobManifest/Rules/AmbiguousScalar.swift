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
      rule, at: range, "'\(field.name)': expected \(expectation), found the string '\(text)'",
      hint: "write \(meaning)", replacement: "\(meaning)")
  }

  static func integer(_ text: String, meanings: [Int], at range: ByteRange) -> Finding {
    let isOctal = !text.contains("_")
    let message =
      isOctal
      ? "\(text) is ambiguous (octal in YAML 1.1)" : "\(text) is ambiguous (a number in YAML 1.1)"
    guard let first = meanings.first else { return Finding(rule, at: range, message) }
    guard meanings.count > 1 else {
      return Finding(
        rule, at: range, message, hint: "write \(first)", replacement: String(first))
    }
    return Finding(
      rule, at: range, message, hint: "write \(first), or \(meanings[1]) if octal is meant")
  }

  static func float(_ text: String, for field: Field, at range: ByteRange) -> Finding {
    let message =
      "'\(field.name)': expected \(field.type.expectation), found the float \(text.shortened)"
    guard let value = Double(text), let whole = Int(exactly: value) else {
      return Finding(rule, at: range, message)
    }
    return Finding(
      rule, at: range, message, hint: "write \(whole)", replacement: String(whole))
  }
}
