import JobModel
import YAMLSource

/// A file or a value that is larger than any manifest.
enum SizeLimit {
  static let rule = Rule(
    "size-limit", .error, "A file or a value larger than is read.",
    isIgnorable: false,
    explanation: """
      A file may have 64 MiB, and a single text in it 1 MiB. More than that is no manifest, but \
      a wrong file, or a quote that is never closed. Split a long manifest into several files in \
      one folder: they are one set.
      """,
    bad: nil,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]

      """)

  static func file(_ bytes: Int, at range: ByteRange) -> Finding {
    Finding(
      rule, at: range, "the file is larger than \(SizeText.format(Int64(bytes)))",
      hint: "split it into several files in one folder")
  }

  static func scalar(_ bytes: Int, at range: ByteRange) -> Finding {
    Finding(
      rule, at: range, "this text is longer than \(SizeText.format(Int64(bytes)))",
      hint: "is a quote or a line break missing?")
  }
}
