import JobModel
import YAMLSource

/// A file or a value that is larger than any manifest.
enum SizeLimit {
  static let rule = Rule(
    "size-limit", .error, "A file or a value larger than is read.", isIgnorable: false)

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
