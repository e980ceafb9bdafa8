import YAMLSource

/// Bytes that aren't text, or that editors and YAML see differently.
enum InvalidEncoding {
  static let rule = Rule(
    "encoding", .error, "Bytes that aren't text that YAML and editors agree on.",
    isIgnorable: false,
    explanation: """
      The file holds bytes that aren't text: it isn't UTF-8 (or UTF-16 with a byte order mark), \
      or it holds a NUL, a control character, or a line separator that YAML takes for the end of \
      a line and editors don't show as one. The example has a U+2028 behind `true`, which can't \
      be seen. Save the file as UTF-8, and remove the character.
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          description: Empty the cache\u{2028}
          command: ["true"]

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          description: Empty the cache
          command: ["true"]

      """)

  static func finding(_ defect: EncodingDefect.Kind, at range: ByteRange) -> Finding {
    switch defect {
    case .invalidByte(let byte):
      Finding(
        rule, at: range, "byte 0x\(hex(UInt32(byte), 2)) isn't UTF-8",
        hint: "save the file as UTF-8")
    case .nul:
      Finding(
        rule, at: range, "a NUL byte isn't text",
        hint: "remove it, or save the file as UTF-8 if it is in another encoding")
    case .controlCharacter(let scalar):
      Finding(
        rule, at: range, "the control character U+\(hex(scalar, 4)) can't stand in YAML",
        hint: "remove it")
    case .lineSeparator(let scalar):
      Finding(
        rule, at: range, "U+\(hex(scalar, 4)) is a line break for YAML, but not for editors",
        hint: "remove it, or write \"\\u\(hex(scalar, 4))\" in double quotes")
    case .byteOrderMark:
      Finding(
        rule, at: range, "a byte order mark (U+FEFF) stands inside the text", hint: "remove it")
    case .loneSurrogate:
      Finding(
        rule, at: range, "half a UTF-16 pair isn't a character", hint: "save the file as UTF-8")
    case .halfCodeUnit:
      Finding(
        rule, at: range, "the UTF-16 text ends in the middle of a character",
        hint: "save the file as UTF-8")
    }
  }

  private static func hex(_ value: UInt32, _ width: Int) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
